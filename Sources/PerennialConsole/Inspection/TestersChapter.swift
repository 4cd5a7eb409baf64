import Perennial
import PerennialStorage
import PerennialStore

/// Sandbox testers: their list, their settings, the clearing of their purchase histories, and purchases that wait.
struct TestersChapter: ConsoleChapter {
    private static let pageSize = 50

    func add(to routes: ConsoleRoutes) {
        routes.page("testers", .operate) { try await Self.list($0) }
        routes.form("testers", .operate) { try await Self.create($0) }
        routes.page("testers/:account", .operate) { try await TesterPage.page($0) }
        routes.form("testers/:account", .operate) { try await TesterPage.save($0) }
        routes.form("testers/:account/clear", .operate) { try await TesterPage.clear($0) }
        routes.form("testers/waiting/approval", .operate) { try await Self.answerApproval($0) }
        routes.form("testers/waiting/interruption", .operate) { try await Self.resolve($0) }
    }

    private static func list(
        _ request: PageRequest, _ values: FormValues? = nil, error: Text? = nil, storefrontError: Text? = nil
    ) async throws -> Page {
        let after = request.query["after"] ?? ""
        let (shown, next) = try await testers(request, after: after)
        let table = Table(
            caption: .phrase(TesterPhrases.testers),
            columns: [
                Table.Column(.phrase(TesterPhrases.account), .leading, .primary),
                Table.Column(.phrase(Words.storefront), .leading, .primary),
                Table.Column(.phrase(TesterPhrases.rate)),
                Table.Column(.phrase(Words.status)),
            ],
            rows: shown.map { tester in
                let name = [tester.firstName, tester.lastName].compactMap(\.self).joined(separator: " ")
                return Table.Row([
                    Cell(
                        .data(tester.account.name),
                        path: request.path("testers/\(ConsolePath.encoded(tester.account.name))"),
                        title: name.isEmpty ? nil : .data(name)),
                    Cell(.storefront(tester.account.storefront, request.language)),
                    Cell(TesterPage.rate(tester.account.renewalRate)),
                    status(of: tester.account),
                ])
            },
            next: next.map { path(request, "after", after: $0) },
            first: after.isEmpty ? nil : path(request, "after", after: ""),
            empty: EmptyState(
                text: .phrase(TesterPhrases.noTesters), same: request.sameHere("accounts create ann@example.com")))
        let form = Form(
            request.path("testers"), submit: .phrase(Words.create),
            same: request.sameHere(
                "accounts create ann@example.com",
                .init("POST", "control/v1/accounts", #"{"account": "ann@example.com"}"#)),
            [
                Field(
                    "account", .phrase(TesterPhrases.account), value: values?["account"] ?? "",
                    hint: .phrase(TesterPhrases.accountHint), error: error, isRequired: true,
                    maximumLength: Accounts.maximumAccountNameLength),
                Field(
                    "storefront", .phrase(Words.storefront), .storefronts(request.language),
                    value: values?["storefront"] ?? Storefront.usa.rawValue, error: storefrontError),
            ])
        var blocks: [Block] = []
        if request.environment.kind == .production {
            blocks.append(.notice(Notice(status: .warning, text: .phrase(TesterPhrases.inProduction))))
        }
        blocks += [.table(table)] + (try await waiting(request))
        blocks.append(.section(.phrase(TesterPhrases.create), [.form(form)]))
        let isRefused = error != nil || storefrontError != nil
        return Page(.phrase(TesterPhrases.testers), .testers, status: isRefused ? 422 : 200, blocks)
    }

    /// Returns the next testers: for a visitor who sees some apps only, those who use one of them.
    private static func testers(
        _ request: PageRequest, after name: String
    ) async throws -> (testers: [SandboxTester], next: String?) {
        guard request.visitor.seesAllApps else {
            return try await request.store.testers.page(
                after: name, limit: pageSize, usersOf: request.apps.map(\.appleID))
        }
        let found = try await request.store.testers.page(after: name, limit: pageSize + 1)
        let shown = Array(found.prefix(pageSize))
        return (shown, found.count > pageSize ? shown.last?.account.name : nil)
    }

    private static func status(of account: Account) -> Cell {
        if account.paymentMethod == .declined { return Cell(.phrase(TesterPhrases.paymentsFail), status: .bad) }
        if account.asksToBuy { return Cell(.phrase(TesterPhrases.askToBuy), status: .warning) }
        if account.interruptsPurchases { return Cell(.phrase(TesterPhrases.interrupts), status: .warning) }
        return Cell(.phrase(TesterPhrases.paymentsSucceed), status: .good)
    }

    private static func create(_ form: FormRequest) async throws -> FormAnswer {
        let name = form.values["account"]
        guard let storefront = form.values.optional("storefront") else {
            return .page(try await list(form.page, form.values, storefrontError: .phrase(RefusalPhrases.choice)))
        }
        do {
            guard try await isFree(name, form.page) else {
                return .page(try await list(form.page, form.values, error: .phrase(TesterPhrases.nameTaken)))
            }
            let account = try await form.page.store.accounts.put(
                name, storefront: Storefront(rawValue: storefront.uppercased()), paymentMethod: nil,
                canMakePayments: nil, password: nil)
            if !form.page.visitor.seesAllApps {
                // The new tester uses the page's app, so that its maker sees it.
                _ = try await form.page.store.accounts.customer(
                    account: account.name, bundleID: try form.page.bundleID())
            }
            let path = form.page.path("testers/\(ConsolePath.encoded(account.name))")
            return .redirect(path, .phrase(TesterPhrases.created, .data(account.name)))
        } catch let error as StoreError where [.malformed, .storefrontUnknown].contains(error.code) {
            let text = RefusalText.text(error.reason, otherwise: error.code.phrase)
            let isStorefront = error.code == .storefrontUnknown
            return .page(
                try await list(
                    form.page, form.values, error: isStorefront ? nil : text,
                    storefrontError: isStorefront ? text : nil))
        }
    }

    /// Returns false for the name of an account that the visitor may not see, and so not change.
    ///
    /// - Throws: ``ConsoleError`` `.appNeeded` for a visitor who sees some apps, on the page of none.
    private static func isFree(_ name: String, _ request: PageRequest) async throws -> Bool {
        guard !request.visitor.seesAllApps else { return true }
        _ = try request.bundleID()
        if try await request.maySee(account: name) { return true }
        do {
            _ = try await request.store.accounts.account(named: name)
            return false
        } catch let error as StoreError where error.code == .accountNotFound {
            return true
        }
    }

    // MARK: - Purchases that wait

    private static func waiting(_ request: PageRequest) async throws -> [Block] {
        guard let bundleID = request.app?.bundleID else { return [] }
        let (store, after) = (request.store, place(request))
        let approvals = try await store.askToBuy.approvals(
            bundleID: bundleID, after: after("approvals"), limit: pageSize)
        let interruptions = try await store.purchases.interruptions(
            bundleID: bundleID, after: after("interruptions"), limit: pageSize)
        var blocks: [Block] = []
        if !approvals.items.isEmpty || approvals.next != nil || after("approvals") != nil {
            let table = table(of: approvals, "approvals", TesterPhrases.askToBuy, request) { approval in
                [
                    post(
                        TesterPhrases.approve, "approval", approval.id, true,
                        request.sameHere(
                            "ask-to-buy approve \(approval.id)",
                            .init("POST", "control/v1/approvals/\(approval.id)/approve")), request),
                    post(
                        TesterPhrases.decline, "approval", approval.id, false,
                        request.sameHere(
                            "ask-to-buy decline \(approval.id)",
                            .init("POST", "control/v1/approvals/\(approval.id)/decline")), request),
                ]
            }
            blocks.append(.section(.phrase(TesterPhrases.askToBuy), [.table(table)]))
        }
        if !interruptions.items.isEmpty || interruptions.next != nil || after("interruptions") != nil {
            let table = table(of: interruptions, "interruptions", TesterPhrases.interrupted, request) { purchase in
                [
                    post(
                        TesterPhrases.complete, "interruption", purchase.id, true,
                        request.sameHere(
                            "interrupted resolve \(purchase.id)",
                            .init("POST", "control/v1/interruptions/\(purchase.id)/resolve", #"{"completed":true}"#)),
                        request),
                    post(
                        TesterPhrases.abandon, "interruption", purchase.id, false,
                        request.sameHere(
                            "interrupted resolve \(purchase.id) --give-up",
                            .init("POST", "control/v1/interruptions/\(purchase.id)/resolve", #"{"completed":false}"#)),
                        request),
                ]
            }
            blocks.append(.section(.phrase(TesterPhrases.interrupted), [.table(table)]))
        }
        return blocks
    }

    /// Returns the cursors of the tables of purchases that wait, by their parameters of the query.
    private static func place(_ request: PageRequest) -> (String) -> String? {
        { name in request.query[name].flatMap { $0.isEmpty ? nil : $0 } }
    }

    /// Returns the path of a page of one of the tables; the others stay where they are.
    private static func path(_ request: PageRequest, _ parameter: String, after cursor: String) -> String {
        func value(_ name: String) -> String { name == parameter ? cursor : request.query[name] ?? "" }
        return request.path(
            "testers",
            [
                "after": value("after"), "approvals": value("approvals"), "interruptions": value("interruptions"),
            ])
    }

    private static func table(
        of purchases: ListPage<PurchaseApproval>, _ parameter: String, _ caption: Phrase, _ request: PageRequest,
        actions: (PurchaseApproval) -> [Action]
    ) -> Table {
        Table(
            caption: .phrase(caption),
            columns: [
                Table.Column(.phrase(TesterPhrases.account), .leading, .primary),
                Table.Column(.phrase(Words.product), .leading, .primary),
            ],
            rows: purchases.items.map {
                Table.Row(
                    [request.customerCell($0.account), request.productCell($0.request.productID)],
                    actions: actions($0))
            }, next: purchases.next.map { path(request, parameter, after: $0) },
            first: place(request)(parameter).map { _ in path(request, parameter, after: "") })
    }

    private static func post(
        _ text: Phrase, _ kind: String, _ id: Int64, _ answer: Bool, _ same: SameCommand, _ request: PageRequest
    ) -> Action {
        .post(
            .phrase(text), path: request.path("testers/waiting/\(kind)"),
            fields: ["id": "\(id)", "answer": answer ? "yes" : "no"], isDangerous: !answer,
            same: same)
    }

    private static func answerApproval(_ form: FormRequest) async throws -> FormAnswer {
        let id = try await number(form, waitingFor: .approval)
        _ = try await form.page.store.askToBuy.answer(id, approved: try form.values.answer("answer"))
        return .redirect(form.page.path("testers"), .phrase(TesterPhrases.answered))
    }

    /// Returns the number of the purchase that a form names, one of the page's app.
    ///
    /// - Throws: ``ConsoleError`` `.badRequest`, `.notFound`.
    private static func number(
        _ form: FormRequest, waitingFor cause: PendingPurchase.Cause
    ) async throws -> Int64 {
        guard let id = Int64(form.values["id"]) else { throw ConsoleError.badRequest(.data("id")) }
        let isWaiting = try await form.page.store.purchases.isWaiting(
            id, for: cause, bundleID: try form.page.bundleID())
        guard isWaiting else { throw ConsoleError.notFound(.data("\(id)")) }
        return id
    }

    private static func resolve(_ form: FormRequest) async throws -> FormAnswer {
        let id = try await number(form, waitingFor: .interruption)
        _ = try await form.page.store.purchases.resolveInterruption(
            id, completed: try form.values.answer("answer"))
        return .redirect(form.page.path("testers"), .phrase(TesterPhrases.answered))
    }
}
