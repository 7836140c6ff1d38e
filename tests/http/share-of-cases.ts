import type { httpSuite } from "@budgetkit/testing";

type HttpSuiteRunner = Parameters<typeof httpSuite>[0];

/** Runs one case of `step`, from that of `first` on. A group is a part of their names, since it may be left without one. */
export function shareOfCases({ it }: Pick<HttpSuiteRunner, "it">, step: number, first = 0): HttpSuiteRunner {
  const groups: string[] = [];
  let cases = 0;
  return {
    describe: (title, body) => {
      groups.push(title);
      body();
      groups.pop();
    },
    it: (title, body) => {
      if (cases % step === first) it([...groups, title].join(" "), body);
      cases += 1;
    },
  };
}
