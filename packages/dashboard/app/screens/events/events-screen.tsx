import "../../components/mono.css";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Page } from "../../components/page.js";
import { Tabs, tabClass } from "../../components/tabs.js";
import { useWords } from "../../words/use-words.js";
import { EventList } from "./event-list.js";
import { Ledger } from "./ledger.js";

/** The tab of the address is the active one, also beside other fields. */
const BY_TAB = { includeSearch: true, explicitUndefined: true };

const route = getRouteApi("/events");

/** What happened in the business, and the proof of it. */
export function EventsScreen() {
  const search = route.useSearch();
  const words = useWords();
  const isLedger = search.tab === "ledger";
  return (
    <Page
      title={words.shell.events}
      tabs={
        <Tabs label={words.shell.events}>
          <Link to="/events" search={{ tab: undefined }} className={tabClass} activeOptions={BY_TAB}>
            {words.events.events}
          </Link>
          <Link to="/events" search={{ tab: "ledger" }} className={tabClass} activeOptions={BY_TAB}>
            {words.events.ledger}
          </Link>
        </Tabs>
      }
    >
      {isLedger ? <Ledger /> : <EventList search={search} />}
    </Page>
  );
}
