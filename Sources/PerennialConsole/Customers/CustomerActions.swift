import Perennial
import PerennialStorage
import PerennialStore

/// The forms of a customer's page: purchases, payment method, purchase history, Ask to Buy.
struct CustomerActions: ConsoleChapter {
    func add(to routes: ConsoleRoutes) {
        routes.form("customers/:account/buy", .support) { try await buy($0) }
        routes.form("customers/:account/payment", .support) { try await setPayment($0) }
        routes.form("customers/:account/clear", .support) { try await clear($0) }
        routes.form("customers/:account/approvals/:id", .support) { try await answer($0) }
    }

    /// Does an action, and returns to the customer's page, which shows a notice, or the error at its form.
    static func perform(
        _ form: FormRequest, _ name: CustomerPage.FormName, notice: Text, _ action: () async throws -> Void
    ) async throws -> FormAnswer {
        do {
            try await action()
        } catch {
            let text = try CustomerPage.text(of: error)
            return .page(try await CustomerPage.page(form.page, error: (name, text), values: form.values))
        }
        return .redirect(form.page.customerPath(form.page.parameter("account")), notice)
    }

    private func buy(_ form: FormRequest) async throws -> FormAnswer {
        let (request, product) = (form.page, form.values["product"])
        guard request.environment.kind.isForTests else { throw ConsoleError.forbidden(.support) }
        guard let quantity = Int(form.values.optional("quantity") ?? "1"), PurchaseRequest.quantities.contains(quantity)
        else {
            let text = Text.phrase(
                ActionPhrases.wholeNumber, .number(PurchaseRequest.quantities.lowerBound),
                .number(PurchaseRequest.quantities.upperBound))
            return .page(try await CustomerPage.page(request, error: (.buy, text), values: form.values))
        }
        let (name, bundleID) = (request.parameter("account"), try request.bundleID())
        return try await Self.perform(form, .buy, notice: .phrase(ActionPhrases.bought, .data(product))) {
            // A form makes no account.
            _ = try await CustomerPage.found { try await request.store.accounts.account(named: name) }
            let customer = try await request.store.accounts.customer(account: name, bundleID: bundleID)
            _ = try await request.store.purchases.buy(
                PurchaseRequest(productID: Product.ID(rawValue: product), quantity: quantity), by: customer)
        }
    }

    private func setPayment(_ form: FormRequest) async throws -> FormAnswer {
        let request = form.page
        guard let method = Account.PaymentMethod(rawValue: form.values["method"]) else {
            return .page(
                try await CustomerPage.page(
                    request, error: (.paymentMethod, .phrase(RefusalPhrases.choice)), values: form.values))
        }
        return try await Self.perform(form, .payment, notice: .phrase(ActionPhrases.paymentSet)) {
            let name = request.parameter("account")
            let overview = try await CustomerPage.found {
                try await request.store.accounts.overview(of: name, in: try request.bundleID())
            }
            _ = try await request.store.accounts.put(
                name, storefront: nil, paymentMethod: method, canMakePayments: nil, password: nil)
            for subscription in overview.subscriptions where subscription.isInBillingRetry == true {
                _ = try await request.store.subscriptions.setPaymentMethod(method, of: subscription.id)
            }
        }
    }

    private func clear(_ form: FormRequest) async throws -> FormAnswer {
        let (request, name) = (form.page, form.page.parameter("account"))
        guard form.values["confirmation"] == name else {
            return .page(
                try await CustomerPage.page(
                    request, error: (.clear, .phrase(ActionPhrases.typeName)), values: form.values))
        }
        return try await Self.perform(form, .clear, notice: .phrase(ActionPhrases.cleared)) {
            let tester = try await request.store.testers.tester(named: name)
            try await request.store.testers.clearPurchaseHistories(of: [tester.id])
        }
    }

    private func answer(_ form: FormRequest) async throws -> FormAnswer {
        let request = form.page
        let overview = try await CustomerPage.found {
            try await request.store.accounts.overview(
                of: request.parameter("account"), in: try request.bundleID())
        }
        // Only a request of this customer in this app.
        guard let record = overview.pending.first(where: { "\($0.id)" == request.parameter("id") }) else {
            throw ConsoleError.notFound(.data(request.parameter("id")))
        }
        let isApproved = try form.values.answer("approved")
        return try await Self.perform(form, .page, notice: .phrase(ActionPhrases.answered)) {
            _ = try await request.store.askToBuy.answer(record.id, approved: isApproved)
        }
    }
}

/// The forms of a customer's subscriptions: auto-renew, extensions, answers to price increases.
struct SubscriptionActions: ConsoleChapter {
    func add(to routes: ConsoleRoutes) {
        routes.form("customers/:account/subscriptions/:id/renewal", .support) { form in
            let (id, isEnabled) = (try await Self.subscription(form.page), try form.values.answer("enabled"))
            return try await CustomerActions.perform(form, .page, notice: .phrase(ActionPhrases.renewalChanged)) {
                _ = try await form.page.store.subscriptions.perform(.setAutoRenew(isEnabled), on: id)
            }
        }
        routes.form("customers/:account/subscriptions/:id/consent", .support) { form in
            let (id, isAccepted) = (try await Self.subscription(form.page), try form.values.answer("accepted"))
            return try await CustomerActions.perform(form, .page, notice: .phrase(ActionPhrases.answered)) {
                _ = try await form.page.store.subscriptions.perform(.answerPriceIncrease(accepted: isAccepted), on: id)
            }
        }
        routes.form("customers/:account/subscriptions/:id/extend", .support) { try await extend($0) }
    }

    private func extend(_ form: FormRequest) async throws -> FormAnswer {
        let (request, id) = (form.page, try await Self.subscription(form.page))
        let range = RenewalExtension.days
        guard let days = Int64(form.values["days"]), range.contains(days) else {
            let text = Text.phrase(ActionPhrases.wholeNumber, .number(range.lowerBound), .number(range.upperBound))
            return .page(try await CustomerPage.page(request, error: (.extend(id), text), values: form.values))
        }
        guard let reason = Int64(form.values["reason"]).flatMap(RenewalExtension.Reason.init(rawValue:)) else {
            return .page(
                try await CustomerPage.page(
                    request, error: (.extendReason(id), .phrase(RefusalPhrases.choice)), values: form.values))
        }
        return try await CustomerActions.perform(
            form, .extend(id), notice: .phrase(ActionPhrases.extended, .number(days))
        ) {
            let identifier = try await request.store.extensions.freshRequestIdentifier()
            _ = try await request.store.extensions.extend(
                id, RenewalExtension(days: days, reason: reason, requestID: identifier),
                bundleID: try request.bundleID())
        }
    }

    /// Returns the subscription that the path names: of this customer, in this app.
    ///
    /// - Throws: ``ConsoleError`` `.notFound`.
    private static func subscription(_ request: PageRequest) async throws -> TransactionID {
        let overview = try await CustomerPage.found {
            try await request.store.accounts.overview(
                of: request.parameter("account"), in: try request.bundleID())
        }
        guard let found = overview.subscriptions.first(where: { "\($0.id)" == request.parameter("id") }) else {
            throw ConsoleError.notFound(.data(request.parameter("id")))
        }
        return found.id
    }
}
