import { z } from "zod";

const MAX_ATTEMPTS = 12;
const MIN_DELAY_SECONDS = 1;
const MAX_DELAY_SECONDS = 24 * 60 * 60;

/** The first attempt is immediate. The others need a distance, or a policy could make all attempts at once. */
const delaysSeconds = z
  .array(z.int().min(0).max(MAX_DELAY_SECONDS))
  .min(1)
  .max(MAX_ATTEMPTS)
  .refine((delays) => delays[0] === 0, { message: "must begin with 0: the first attempt is made at once" })
  .superRefine((delays, context) => {
    for (const [index, delay] of delays.entries()) {
      if (index === 0 || delay >= MIN_DELAY_SECONDS) continue;
      context.addIssue({
        code: "custom",
        path: [index],
        message: `must be at least ${MIN_DELAY_SECONDS}: only the first attempt is made at once`,
        params: { code: "MIN_VALUE" },
      });
    }
  });

export const retryPolicy = z
  .object({
    /** One entry an attempt, from the attempt before. */
    delaysSeconds,
  })
  .meta({ id: "RetryPolicy", description: "Seconds from one attempt to the next, one entry an attempt." });
