/** The answer, or null when it takes longer: then whoever gives it goes on for nobody. Rejects when the answer does. */
export async function answeredWithin<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer | null> {
  let timer: NodeJS.Timeout | undefined;
  const outOfPatience = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  return Promise.race([answer, outOfPatience]).finally(() => clearTimeout(timer));
}
