import { useQuery } from "@tanstack/react-query";
import { UserRoundPlus } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { Button } from "../../components/button.js";
import { TextField } from "../../components/inputs.js";
import { EmptyState, ErrorPanel, NoRight } from "../../components/notices.js";
import { Page } from "../../components/page.js";
import { SkeletonRows } from "../../components/skeleton.js";
import { usersQuery } from "../../queries/users.js";
import { useMay } from "../../session/use-session.js";
import { mount } from "../../start/mount.js";
import { useWords } from "../../words/use-words.js";
import { AccessChanges } from "./access-changes.js";
import { InviteDialog } from "./invite-dialog.js";
import styles from "./people.module.css";
import { PeopleTable } from "./people-table.js";
import { matchesSearch } from "./person-rules.js";
import { RoleTable } from "./role-table.js";
import { SignInCard } from "./sign-in-card.js";

/** Who signs in to the business, and what they may do. */
export function PeopleScreen() {
  const words = useWords();
  const mayAdminister = useMay()("administer");
  if (mayAdminister && mount.session === "form") return <People />;
  return (
    <Page title={words.shell.people}>
      {mayAdminister ? (
        <EmptyState icon={UserRoundPlus} title={words.people.hostTitle} text={words.people.hostText} />
      ) : (
        <NoRight right={words.common.administrator} />
      )}
    </Page>
  );
}

function People() {
  const words = useWords();
  const { data: people, error, refetch } = useQuery(usersQuery);
  const [search, setSearch] = useState("");
  const [isInviting, setInviting] = useState(false);
  const shownFor = useDeferredValue(search);
  const shown = people?.filter((person) => matchesSearch(person, shownFor)) ?? [];
  const invited = people?.filter(({ status }) => status === "INVITED").length ?? 0;
  const joined = (people?.length ?? 0) - invited;
  return (
    <Page
      title={words.shell.people}
      beside={
        people === undefined ? undefined : <span className={styles.count}>{words.people.count(joined, invited)}</span>
      }
      actions={
        <>
          <TextField
            label={words.people.search}
            hideLabel
            type="search"
            placeholder={words.people.search}
            value={search}
            onChange={setSearch}
          />
          <Button kind="primary" icon={UserRoundPlus} onClick={() => setInviting(true)}>
            {words.people.invite}
          </Button>
        </>
      }
    >
      {people !== undefined ? (
        <>
          {shown.length === 0 ? (
            <p role="status">{words.people.noMatch}</p>
          ) : (
            <PeopleTable shown={shown} people={people} />
          )}
          <div className={styles.columns}>
            <RoleTable />
            <SignInCard people={people} />
            <AccessChanges people={people} />
          </div>
        </>
      ) : error !== null ? (
        <ErrorPanel
          title={words.common.couldNotLoad(words.shell.people)}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : (
        <SkeletonRows />
      )}
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Page>
  );
}
