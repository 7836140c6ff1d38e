import { Link } from "@tanstack/react-router";

interface Props {
  readonly event: string;
  readonly subjectId: string;
  readonly name: string;
}

/** What an entry is about, as a link to its screen where it has one. */
export function SubjectLink({ event, subjectId, name }: Props) {
  const group = event.split(".")[0];
  switch (group) {
    case "budget":
    case "mail":
    case "reminders":
    case "public_link":
      return (
        <Link to="/budgets/$budgetId" params={{ budgetId: subjectId }}>
          {name}
        </Link>
      );
    case "customer":
      return (
        <Link to="/customers/$customerId" params={{ customerId: subjectId }}>
          {name}
        </Link>
      );
    case "api_key":
      return (
        <Link to="/keys/$keyId" params={{ keyId: subjectId }}>
          {name}
        </Link>
      );
    case "webhook":
      return (
        <Link to="/webhooks/$webhookId" params={{ webhookId: subjectId }}>
          {name}
        </Link>
      );
    default:
      return <span>{name}</span>;
  }
}
