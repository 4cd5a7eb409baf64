import Perennial
import PerennialStore

/// Actions for a customer.
extension CustomerPage {
    /// The subscriptions, each with its actions.
    func subscriptions() -> [Block] {
        guard !overview.subscriptions.isEmpty else { return [] }
        let rows = overview.subscriptions.reversed().map { subscription in
            let status = subscription.status(at: overview.now)
            return Table.Row(
                [
                    request.productCell(subscription.product.id),
                    Cell(
                        .phrase(TransactionPhrases.name(of: status)), status: TransactionPhrases.status(of: status)),
                    Cell(.time(subscription.paidUntil)),
                    Cell(.phrase(subscription.autoRenewStatus == 1 ? Words.yes : Words.no)),
                    request.transactionCell(subscription.id),
                ], details: details(of: subscription), actions: actions(on: subscription))
        }
        return [
            .section(
                .phrase(Words.subscriptions), id: "subscriptions",
                [
                    .table(
                        Table(
                            caption: .phrase(Words.subscriptions),
                            columns: [
                                .init(.phrase(Words.product), .leading, .primary),
                                .init(.phrase(Words.status), .leading, .primary),
                                .init(.phrase(TransactionPhrases.expires), .trailing),
                                .init(.phrase(SubscriptionListPhrases.renews)),
                                .init(.phrase(TransactionPhrases.original), .leading, .wideOnly),
                            ], rows: rows))
                ])
        ]
    }

    private func path(_ subscription: Subscription, _ action: String) -> String {
        request.customerPath(overview.account.name, "/subscriptions/\(subscription.id)/\(action)")
    }

    private func actions(on subscription: Subscription) -> [Action] {
        guard !subscription.hasEnded, subscription.ownership == .purchased else { return [] }
        let isOn = subscription.autoRenewStatus == 1
        var actions: [Action] = [
            .post(
                .phrase(isOn ? ActionPhrases.cancel : ActionPhrases.resume), path: path(subscription, "renewal"),
                fields: ["enabled": isOn ? "false" : "true"],
                same: request.sameHere(
                    "subscriptions \(isOn ? "cancel" : "resume") \(subscription.id)",
                    .init("POST", "control/v1/subscriptions/\(subscription.id)/auto-renew", #"{"enabled":\#(!isOn)}"#)))
        ]
        if subscription.renewalInfo.priceConsentStatus == 0 {
            for accepted in [true, false] {
                actions.append(
                    .post(
                        .phrase(accepted ? ActionPhrases.acceptPrice : ActionPhrases.declinePrice),
                        path: path(subscription, "consent"), fields: ["accepted": "\(accepted)"],
                        same: request.sameHere(
                            "price-consent \(accepted ? "accept" : "decline") \(subscription.id)",
                            .init(
                                "POST", "control/v1/subscriptions/\(subscription.id)/price-consent",
                                #"{"accepted":\#(accepted)}"#))))
            }
        }
        return actions
    }

    private func details(of subscription: Subscription) -> [Block] {
        guard case .active = subscription.state, subscription.ownership == .purchased else { return [] }
        let isRefused = error?.form == .extend(subscription.id)
        let isReasonRefused = error?.form == .extendReason(subscription.id)
        let reasons: [(RenewalExtension.Reason, Phrase)] = [
            (.undeclared, ActionPhrases.undeclared), (.customerSatisfaction, ActionPhrases.satisfaction),
            (.serviceIssue, ActionPhrases.serviceIssue), (.other, ActionPhrases.other),
        ]
        return [
            .form(
                Form(
                    path(subscription, "extend"), submit: .phrase(ActionPhrases.extend),
                    same: request.sameHere(
                        "subscriptions extend \(subscription.id) --days 7",
                        .init("POST", "control/v1/subscriptions/\(subscription.id)/extend", #"{"days":7}"#)),
                    [
                        Field(
                            "days", .phrase(ActionPhrases.days), .number,
                            value: isRefused || isReasonRefused ? values?["days"] ?? "" : "7",
                            hint: .phrase(ActionPhrases.daysHint), error: isRefused ? error?.text : nil,
                            isRequired: true),
                        Field(
                            "reason", .phrase(ActionPhrases.reason),
                            .choice(reasons.map { .init("\($0.0.rawValue)", .phrase($0.1)) }),
                            value: isRefused || isReasonRefused ? values?["reason"] ?? "0" : "0",
                            error: isReasonRefused ? error?.text : nil),
                    ]))
        ]
    }

    /// The forms below what is open.
    func actions(_ app: App) -> [Block] {
        let name = overview.account.name
        var blocks: [Block] = []
        if request.environment.kind.isForTests { blocks.append(.form(purchase(app, name))) }
        if let grant = CustomerGrant.form(self, app) { blocks.append(.form(grant)) }
        blocks.append(.form(payment(name)))
        if overview.testerID != nil { blocks.append(.form(clearing(name))) }
        return [.details(.phrase(ActionPhrases.actions), blocks)]
    }

    private func purchase(_ app: App, _ name: String) -> Form {
        let products = app.products.filter { request.environment.sells($0, in: overview.account.storefront) }
            .sorted { $0.id.rawValue < $1.id.rawValue }
        return Form(
            request.customerPath(name, "/buy"), submit: .phrase(ActionPhrases.buy),
            same: request.sameHere(
                "buy \(products.first?.id.rawValue ?? "PRODUCT") --account \(ShellWord.quoted(name))", namesApp: true,
                .init(
                    "POST", "control/v1/purchases",
                    JSONText.object([
                        "bundleId": app.bundleID.rawValue, "account": name,
                        "productId": products.first?.id.rawValue ?? "PRODUCT",
                    ]))),
            [
                Field(
                    "product", .phrase(Words.product),
                    .choice(products.map { .init($0.id.rawValue, .data($0.id.rawValue)) }),
                    value: values?["product"] ?? "", error: error?.form == .buy ? error?.text : nil, isRequired: true),
                Field("quantity", .phrase(ActionPhrases.quantity), .number, value: values?.optional("quantity") ?? "1"),
            ])
    }

    private func payment(_ name: String) -> Form {
        let current = overview.account.paymentMethod
        return Form(
            request.customerPath(name, "/payment"), submit: .phrase(ActionPhrases.setPayment),
            error: error?.form == .payment ? error?.text : nil, same: samePayment(name, current == .valid),
            [
                Field(
                    "method", .phrase(CustomerPhrases.payment),
                    .choice([
                        .init("valid", .phrase(CustomerPhrases.valid)),
                        .init("declined", .phrase(CustomerPhrases.declined)),
                    ]), value: current.rawValue, hint: .phrase(ActionPhrases.paymentHint),
                    error: error?.form == .paymentMethod ? error?.text : nil)
            ])
    }

    /// Returns the commands and calls that change the payment method.
    ///
    /// The form also retries failed renewals. That takes a command for each: `accounts edit` retries none.
    private func samePayment(_ name: String, _ isValid: Bool) -> SameCommand {
        let failed = overview.subscriptions.filter { $0.isInBillingRetry == true && $0.ownership == .purchased }
        let retries = failed.map { subscription in
            request.sameHere(
                "payment-method accept \(subscription.id)",
                .init("POST", "control/v1/subscriptions/\(subscription.id)/payment", #"{"method":"valid"}"#))
        }
        if !isValid, var same = retries.first {
            same.further = Array(retries.dropFirst())
            return same
        }
        let method = isValid ? "declined" : "valid"
        return request.sameHere(
            "accounts edit \(ShellWord.quoted(name)) --payment-method \(method)",
            .init("POST", "control/v1/accounts", JSONText.object(["account": name, "paymentMethod": method])))
    }

    private func clearing(_ name: String) -> Form {
        Form(
            request.customerPath(name, "/clear"), submit: .phrase(ActionPhrases.clear),
            error: error?.form == .clear ? error?.text : nil,
            warning: .phrase(ActionPhrases.clearWarning, .data(name)), confirmation: name, isDangerous: true,
            same: request.sameHere(
                "testers clear \(ShellWord.quoted(name))",
                .init("POST", "control/v1/testers/\(ConsolePath.encoded(name))/clear-purchase-history")), [])
    }
}

/// The words of lists of subscriptions.
enum SubscriptionListPhrases {
    static let renews = Phrase("Renews", fr: "Se renouvelle", pt: "Renova", zh: "會續訂", de: "Verlängert sich")
}
