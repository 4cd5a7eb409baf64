import Perennial
import PerennialStore

/// One transaction's page: what was sold, what it looks like on the wire, and what became of it.
struct TransactionPage {
    let request: PageRequest
    let details: TransactionOverview
    var error: Text?
    /// The field of the refund to which the error belongs; `nil` for the form as a whole.
    var errorField: String?
    var values: FormValues?

    /// The most notifications that are shown in place.
    private static let maximumNotifications = 5

    /// Returns the transaction that the path names.
    ///
    /// - Throws: ``ConsoleError`` `.notFound`, `.appNeeded`.
    static func details(_ request: PageRequest) async throws -> TransactionOverview {
        let (text, bundleID) = (request.parameter("id"), try request.bundleID())
        guard let id = TransactionID(text) else { throw ConsoleError.notFound(.data(text)) }
        return try await CustomerPage.found { try await request.store.transactions.details(of: id, in: bundleID) }
    }

    static func page(
        _ request: PageRequest, error: Text? = nil, at errorField: String? = nil, values: FormValues? = nil
    ) async throws -> Page {
        let page = TransactionPage(
            request: request, details: try await details(request), error: error, errorField: errorField, values: values)
        let transaction = page.details.transaction
        let columns: [[Block]] = [
            [.section(.phrase(TransactionPhrases.sold), page.sold())],
            [
                .section(
                    .phrase(TransactionPhrases.wire), id: "wire",
                    try await TransactionWire(request, page.details).blocks())
            ],
            [.section(.phrase(TransactionPhrases.became), page.became() + (try await page.notifications()))],
        ]
        return Page(
            .data("\(transaction.id)"), .transactions,
            trail: [
                Link(.phrase(Words.transactions), request.path("transactions")),
                Link(.data(page.details.account.name), request.customerPath(page.details.account.name)),
            ], status: error == nil ? 200 : 422, [.columns(columns)] + page.actions())
    }

    private func sold() -> [Block] {
        let (transaction, state) = (details.transaction, details.state)
        var facts = [
            Fact(.phrase(Words.product), request.productCell(transaction.productID)),
            Fact(.phrase(Words.type), Cell(.phrase(transaction.type.phrase))),
            Fact(.phrase(Words.customer), request.customerCell(details.account.name)),
            Fact(.phrase(Words.price), Cell(.money(transaction.price))),
            Fact(.phrase(ActionPhrases.quantity), Cell(.number(transaction.quantity))),
            Fact(.phrase(Words.storefront), Cell(.storefront(transaction.storefront, request.language))),
            Fact(.phrase(TransactionPhrases.purchased), Cell(.exact(transaction.purchaseDate))),
            Fact(
                .phrase(Words.status),
                Cell(.phrase(TransactionPhrases.name(of: state)), status: TransactionPhrases.status(of: state))),
        ]
        if let expires = transaction.expiresDate {
            facts.append(Fact(.phrase(TransactionPhrases.expires), Cell(.exact(expires))))
        }
        if let revocation = transaction.revocation {
            facts.append(Fact(.phrase(TransactionPhrases.revokedOn), Cell(.exact(revocation.date))))
        }
        if transaction.originalID != transaction.id {
            facts.append(Fact(.phrase(TransactionPhrases.original), request.transactionCell(transaction.originalID)))
        }
        if let order = OrderID(of: transaction.id) {
            facts.append(Fact(.phrase(TransactionPhrases.order), .id(order.description)))
        }
        if let offer = transaction.offer {
            facts.append(
                Fact(
                    .phrase(TransactionPhrases.offer),
                    Cell(offer.id.map { .data($0) } ?? .phrase(offer.paymentMode.phrase))))
        }
        if let token = transaction.applicationUsername {
            facts.append(Fact(.phrase(TransactionPhrases.token), .id(token)))
        }
        facts.append(
            Fact(
                .phrase(TransactionPhrases.finished),
                Cell(.phrase(transaction.isFinished ? Words.yes : Words.no))))
        return [.facts(facts)]
    }

    private func became() -> [Block] {
        let (transaction, now) = (details.transaction, details.now)
        let timeline = CustomerTimeline(request: request)
        let access = transaction.isInForce(at: now)
        var facts = [
            Fact(
                .phrase(TransactionPhrases.access),
                Cell(.phrase(access ? Words.yes : Words.no), status: access ? .good : .neutral))
        ]
        if let subscription = details.subscription {
            let status = subscription.status(at: now)
            facts.append(
                Fact(
                    .phrase(Words.subscription),
                    Cell(
                        .phrase(TransactionPhrases.name(of: status)),
                        path: request.transactionCell(subscription.id).path,
                        status: TransactionPhrases.status(of: status))))
            facts.append(Fact(.phrase(CustomerPhrases.accessUntil), Cell(.time(subscription.paidUntil))))
        }
        let sums = details.sums.map {
            Table.Row([Cell(.phrase(LedgerWords.name(of: $0.account))), Cell(.money($0.amount))])
        }
        var blocks: [Block] = [.facts(facts), .timeline(details.events.reversed().map(timeline.entry))]
        if !sums.isEmpty {
            blocks.append(
                .table(
                    Table(
                        caption: .phrase(TransactionPhrases.sums),
                        columns: [
                            .init(
                                .phrase(TransactionPhrases.sums), .leading, .primary,
                                definition: .phrase(TransactionPhrases.sumsMeaning)),
                            .init(.phrase(Words.amount), .trailing, .primary),
                        ], rows: sums)))
        }
        return blocks
    }

    /// The newest notifications about the transaction, each with its request, the receiver's response, and a retry.
    private func notifications() async throws -> [Block] {
        let records = details.events.flatMap(\.notifications).suffix(Self.maximumNotifications).reversed()
        guard !records.isEmpty else { return [] }
        let snapshots = try await request.store.notifications.snapshots(
            of: Array(records), in: details.app.bundleID)
        let all = request.path("notifications", ["subject": details.transaction.originalID.description])
        return [
            .section(
                .phrase(Words.notifications), id: "notifications",
                snapshots.map { NotificationBlocks($0, details.app.bundleID, request).summary }
                    + [.links([Link(.phrase(NotificationPhrases.allOfPurchase), all)])])
        ]
    }

    // MARK: Actions

    private func actions() -> [Block] {
        let transaction = details.transaction
        guard transaction.ownership == .purchased else { return [] }
        let path = request.path("transactions/\(transaction.id)")
        if transaction.revocation != nil {
            return [
                .actions([
                    .post(
                        .phrase(ActionPhrases.reverse), path: path + "/reverse-refund",
                        same: request.sameHere(
                            "refunds reverse \(transaction.id)",
                            .init("POST", "control/v1/transactions/\(transaction.id)/reverse-refund")))
                ])
            ] + (error.map { [.notice(Notice(status: .bad, text: $0))] } ?? [])
        }
        let form = Form(
            path + "/refund", submit: .phrase(Words.refund), error: errorField == nil ? error : nil,
            warning: .phrase(
                ActionPhrases.refundWarning, .data(transaction.productID.rawValue), .money(transaction.price)),
            isDangerous: true,
            same: request.sameHere(
                "refunds create \(transaction.id)",
                .init("POST", "control/v1/transactions/\(transaction.id)/refund", #"{"reason":0}"#)),
            [
                Field(
                    "reason", .phrase(ActionPhrases.reason),
                    .choice([.init("0", .phrase(ActionPhrases.other)), .init("1", .phrase(ActionPhrases.issue))]),
                    value: values?["reason"] ?? "0", error: errorField == "reason" ? error : nil),
                Field(
                    "percentage", .phrase(ActionPhrases.share), .number, value: values?["percentage"] ?? "",
                    hint: .phrase(ActionPhrases.shareHint), error: errorField == "percentage" ? error : nil),
            ])
        return [.details(.phrase(ActionPhrases.actions), [.form(form)])]
    }
}
