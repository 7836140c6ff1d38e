import type {
  BudgetChangedData,
  BudgetService,
  CreateApiKey,
  CreateBudget,
  CreateCustomer,
  CreateIntegration,
  CreatePackage,
  CustomerView,
  InviteUser,
  Problem,
  RecordPayment,
  ResolvedUser,
  ResolveUser,
  UpdateBudget,
  UpdateProduct,
  UpdateWebhook,
} from "@budgetkit/core";
import { expectTypeOf, it } from "vitest";

it("types the data of an event by its name", () => {
  const subscribe = (service: BudgetService) => {
    service.on("budget.approved", (event) => {
      expectTypeOf(event.type).toEqualTypeOf<"budget.approved">();
      expectTypeOf(event.data).toEqualTypeOf<BudgetChangedData>();
    });
    service.on("customer.updated", ({ data }) => {
      if (data.truncated === true) expectTypeOf(data.fields).toEqualTypeOf<string[]>();
      else expectTypeOf(data.previous.email).toEqualTypeOf<CustomerView["email"] | undefined>();
    });
    service.on("*", (event) => {
      if (event.type === "product.deleted") expectTypeOf(event.data.deletedAt).toEqualTypeOf<string>();
    });
  };
  expectTypeOf(subscribe).parameter(0).toEqualTypeOf<BudgetService>();
});

it("types the inputs of budgets as the client does", () => {
  type Budgets = BudgetService["budgets"];
  expectTypeOf<Budgets["create"]>().parameter(1).toEqualTypeOf<CreateBudget>();
  expectTypeOf<Budgets["update"]>().parameter(2).toEqualTypeOf<UpdateBudget>();
  expectTypeOf<Budgets["recordPayment"]>().parameter(2).toEqualTypeOf<RecordPayment>();
});

it("types the inputs of the other operations as the client does", () => {
  expectTypeOf<BudgetService["customers"]["create"]>().parameter(1).toEqualTypeOf<CreateCustomer>();
  expectTypeOf<BudgetService["products"]["update"]>().parameter(2).toEqualTypeOf<UpdateProduct>();
  expectTypeOf<BudgetService["packages"]["create"]>().parameter(1).toEqualTypeOf<CreatePackage>();
  expectTypeOf<BudgetService["keys"]["create"]>().parameter(1).toEqualTypeOf<CreateApiKey>();
  expectTypeOf<BudgetService["users"]["invite"]>().parameter(1).toEqualTypeOf<InviteUser>();
  expectTypeOf<BudgetService["webhooks"]["update"]>().parameter(2).toEqualTypeOf<UpdateWebhook>();
  expectTypeOf<BudgetService["integrations"]["create"]>().parameter(1).toEqualTypeOf<CreateIntegration>();
});

it("types resolveUser with or without a promise", () => {
  expectTypeOf<() => ResolvedUser>().toExtend<ResolveUser>();
  expectTypeOf<() => Promise<null>>().toExtend<ResolveUser>();
});

it("types a message in each problem", () => {
  expectTypeOf<Problem["message"]>().toEqualTypeOf<string>();
});
