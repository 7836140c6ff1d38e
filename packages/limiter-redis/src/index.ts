export { type RedisLimiter, type RedisLimiterOptions, redisLimiter } from "./redis-limiter.js";
