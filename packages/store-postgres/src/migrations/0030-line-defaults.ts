/** What a product or variant brings to the lines of budgets that name it, as JSON; null = nothing. */
export const LINE_DEFAULTS = "ALTER TABLE @product_summaries ADD COLUMN line_defaults text;";
