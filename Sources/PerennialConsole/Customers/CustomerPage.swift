import HTTPTypes
import Perennial
import PerennialConnect
import PerennialHTTP
import PerennialStorage
import PerennialStore

/// One customer's page: what is open, what can be done, and all that has happened, newest first.
struct CustomerPage {
    /// The forms of the page, which show their errors.
    enum FormName: Hashable {
        case buy, grant, grantReason, payment, paymentMethod, clear, extend(TransactionID), extendReason(TransactionID)
        case page
    }

    let request: PageRequest
    let overview: CustomerOverview
    var error: (form: FormName, text: Text)?
    /// The values with which the form was sent.
    var values: FormValues?

    static func page(
        _ request: PageRequest, error: (form: FormName, text: Text)? = nil, values: FormValues? = nil
    ) async throws -> Page {
        let (name, bundleID) = (request.parameter("account"), try request.bundleID())
        let overview = try await found { try await request.store.accounts.overview(of: name, in: bundleID) }
        let timeline = try await request.store.accounts.timeline(
            of: name, in: bundleID, after: request.query["after"], limit: CustomersChapter.pageSize)
        let app = try await request.store.app(bundleID)
        let page = CustomerPage(request: request, overview: overview, error: error, values: values)
        var blocks: [Block] = []
        if let error, error.form == .page { blocks.append(.notice(Notice(status: .bad, text: error.text))) }
        if request.query["after"] == nil { blocks += page.open() + page.actions(app) }
        blocks.append(
            .section(
                .phrase(CustomerPhrases.timeline), id: "timeline",
                CustomerTimeline(request: request).blocks(timeline, of: name)))
        if request.query["after"] == nil { blocks += page.devices() }
        return Page(
            .data(name), .customers, trail: [Link(.phrase(Words.customers), request.path("customers"))],
            actions: [
                .link(Link(.phrase(Words.transactions), request.path("transactions", ["account": name])))
            ], status: error == nil ? 200 : 422, blocks)
    }

    /// Runs a look-up; a thing that isn't there is a page that isn't there.
    static func found<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as StoreError where error.code == .accountNotFound || error.code == .transactionNotFound {
            throw ConsoleError.notFound(.data(error.subject))
        }
    }

    /// Reads a list of a customer's things; of a customer that isn't there it is empty.
    static func listed<Item>(
        at now: Instant, _ body: () async throws -> (ListPage<Item>, Instant)
    ) async throws -> (ListPage<Item>, Instant) {
        do {
            return try await body()
        } catch let error as StoreError where error.code == .accountNotFound {
            return (ListPage([]), now)
        }
    }

    /// Describes the error of a use case for the form that caused it.
    ///
    /// - Throws: The error, if it isn't a refusal.
    static func text(of error: any Error) throws -> Text {
        guard let known = APIError(translating: error), known.status.code < 500 else { throw error }
        return try RefusalText.refusal(error)
    }

    // MARK: What is open

    private func open() -> [Block] {
        let now = overview.now
        let entitled = overview.subscriptions.filter { $0.isEntitled(at: now) }
        let renewing = entitled.filter { $0.autoRenewStatus == 1 }.min { $0.paidUntil < $1.paidUntil }
        let figures = [
            Figure(
                label: .phrase(CustomerPhrases.accessUntil),
                value: entitled.map(\.paidUntil).max().map(day) ?? .phrase(CustomerPhrases.none),
                definition: .phrase(CustomerPhrases.accessUntilMeaning)),
            Figure(
                label: .phrase(CustomerPhrases.nextCharge),
                value: renewing.map { .list([.money($0.renewalInfo.renewalPrice), day($0.paidUntil)]) }
                    ?? .phrase(CustomerPhrases.none),
                definition: .phrase(CustomerPhrases.nextChargeMeaning)),
            Figure(
                label: .phrase(CustomerPhrases.unfinished), value: .number(overview.unfinished.count),
                definition: .phrase(CustomerPhrases.unfinishedMeaning)),
        ]
        return [.figures(figures)] + facts() + subscriptions() + waiting() + unfinished()
    }

    /// Returns the day of an instant, short enough for a figure; below a day the time until it. Rows have the exact time.
    private func day(_ instant: Instant) -> Text {
        (instant - overview.now).magnitude < Int64.days(1).magnitude ? .time(instant) : .day(instant)
    }

    private func facts() -> [Block] {
        let account = overview.account
        return [
            .facts([
                Fact(.phrase(CustomerPhrases.payment), CustomersChapter.payment(account)),
                Fact(.phrase(Words.storefront), Cell(.storefront(account.storefront, request.language))),
                Fact(.phrase(CustomerPhrases.created), Cell(.time(account.created))),
            ])
        ]
    }

    private func unfinished() -> [Block] {
        guard !overview.unfinished.isEmpty else { return [] }
        let rows = overview.unfinished.map { transaction in
            Table.Row([
                request.transactionCell(transaction.id), request.productCell(transaction.productID),
                Cell(.money(transaction.price)), Cell(.time(transaction.purchaseDate)),
            ])
        }
        return [
            .section(
                .phrase(CustomerPhrases.unfinished),
                [
                    .table(
                        Table(
                            caption: .phrase(CustomerPhrases.unfinished),
                            columns: [
                                .init(.phrase(Words.transaction), .leading, .primary), .init(.phrase(Words.product)),
                                .init(.phrase(Words.price), .trailing, .primary),
                                .init(.phrase(TransactionPhrases.purchased), .trailing),
                            ], rows: rows))
                ])
        ]
    }

    private func waiting() -> [Block] {
        guard !overview.pending.isEmpty else { return [] }
        let rows = overview.pending.map { record in
            let path = request.customerPath(overview.account.name, "/approvals/\(record.id)")
            let isApproval = record.pending.cause == .approval
            return Table.Row(
                [request.productCell(record.request.productID), Cell(.number(record.request.quantity))],
                actions: isApproval
                    ? [
                        .post(
                            .phrase(CustomerPhrases.approve), path: path, fields: ["approved": "true"],
                            same: request.sameHere(
                                "ask-to-buy approve \(record.id)",
                                .init("POST", "control/v1/approvals/\(record.id)/approve"))),
                        .post(
                            .phrase(CustomerPhrases.decline), path: path, fields: ["approved": "false"],
                            same: request.sameHere(
                                "ask-to-buy decline \(record.id)",
                                .init("POST", "control/v1/approvals/\(record.id)/decline"))),
                    ] : [])
        }
        return [
            .section(
                .phrase(CustomerPhrases.waiting),
                [
                    .table(
                        Table(
                            caption: .phrase(CustomerPhrases.waiting),
                            columns: [
                                .init(.phrase(Words.product), .leading, .primary),
                                .init(.phrase(ActionPhrases.quantity), .trailing, .primary),
                            ], rows: rows))
                ])
        ]
    }

    private func devices() -> [Block] {
        guard !overview.devices.isEmpty else { return [] }
        let rows = overview.devices.map { device, signedIn in
            Table.Row([
                Cell(.data(device.family?.rawValue ?? device.device), title: .data(device.device)),
                Cell(.data(device.applicationVersion)),
                Cell(.phrase(device.isInstalled ? CustomerPhrases.installed : CustomerPhrases.removed)),
                Cell(.time(signedIn)),
            ])
        }
        return [
            .section(
                .phrase(CustomerPhrases.devices), id: "devices",
                [
                    .table(
                        Table(
                            caption: .phrase(CustomerPhrases.devices),
                            columns: [
                                .init(.phrase(CustomerPhrases.device), .leading, .primary),
                                .init(.phrase(CustomerPhrases.version), .leading, .primary),
                                .init(.phrase(Words.status)), .init(.phrase(CustomerPhrases.signedIn), .trailing),
                            ], rows: rows))
                ])
        ]
    }
}
