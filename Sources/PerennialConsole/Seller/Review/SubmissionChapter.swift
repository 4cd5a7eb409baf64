import Perennial
import PerennialConnect
import PerennialHTTP
import PerennialStorage

/// The app's submissions that wait, for the operator, who reviews them.
struct SubmissionChapter: ConsoleChapter {
    private static let pageSize = 20
    private static let maximumReasonLength = 4000

    func add(to routes: ConsoleRoutes) {
        routes.page("reviews", .view) { try await page($0, .new) }
        routes.form("reviews/mode", .administer) { try await setMode($0) }
        routes.form("reviews/:id/start", .administer) { request in
            try await decide(request) { try $0.startReview($1) }
        }
        routes.form("reviews/:id/approve", .administer) { request in
            let items = try request.values.count("item").map { [$0] }
            return try await decide(request) { try $0.decide($1, items, rejection: nil) }
        }
        routes.form("reviews/:id/reject", .administer) { try await reject($0) }
    }

    private struct Listed: Sendable {
        var submission: ReviewSubmission
        /// The names by the items' numbers.
        var names: [Int: String]
    }

    private func page(_ request: PageRequest, _ state: FormState) async throws -> Page {
        let (bundleID, after) = (try request.bundleID(), request.query["after"].flatMap { Int64($0) } ?? 0)
        let (mode, listed, next) = try await request.services.catalog.read { reader in
            let app = try reader.found(bundleID).appleID
            let open = try reader.openSubmissions(app: app, after: after, limit: Self.pageSize)
            return (try reader.reviewMode(), try open.submissions.map { try Self.listed($0, reader) }, open.next)
        }
        var pages = next.map { [Link(.phrase(BlockWords.next), request.path("reviews", ["after": "\($0)"]))] } ?? []
        if after > 0 { pages.insert(Link(.phrase(BlockWords.first), request.path("reviews")), at: 0) }
        let mayDecide = request.allows(.administer)
        return Page(
            .phrase(ReviewPhrases.reviews), .products, trail: [Link(.phrase(Words.products), request.path("products"))],
            [
                .facts([
                    Fact(
                        .phrase(ReviewPhrases.mode),
                        Cell(.phrase(mode == .automatic ? ReviewPhrases.automatic : ReviewPhrases.manual)))
                ]),
                .actions(mayDecide ? [modeAction(mode, request)] : []),
            ] + (listed.isEmpty ? [.empty(EmptyState(text: .phrase(ReviewPhrases.nothing)))] : [])
                + listed.map { section($0, state, request, mayDecide) } + (pages.isEmpty ? [] : [.links(pages)]))
    }

    private static func listed(_ submission: ReviewSubmission, _ reader: CatalogReader) throws -> Listed {
        var names: [Int: String] = [:]
        for item in submission.items {
            names[item.number] =
                switch item.subject {
                case .product(let id, _): try reader.product(id)?.id.rawValue ?? "\(id)"
                case .group(let key, _): try reader.group(key)?.group.referenceName ?? key
                }
        }
        return Listed(submission: submission, names: names)
    }

    private func modeAction(_ mode: ReviewMode, _ request: PageRequest) -> Action {
        let other: ReviewMode = mode == .automatic ? .manual : .automatic
        return .post(
            .phrase(other == .automatic ? ReviewPhrases.automatic : ReviewPhrases.manual),
            path: request.path("reviews/mode"), fields: ["mode": other.rawValue],
            same: SameCommand(
                "reviews mode set \(other.rawValue)",
                .init("PUT", "control/v1/review-mode", #"{"mode":"\#(other.rawValue)"}"#)))
    }

    private func section(
        _ listed: Listed, _ state: FormState, _ request: PageRequest, _ mayDecide: Bool
    ) -> Block {
        let (submission, id) = (listed.submission, listed.submission.id)
        let rows = submission.items.map { item in
            Table.Row([
                Cell(.data(listed.names[item.number] ?? ""), path: path(of: item.subject, listed, request)),
                Cell(.phrase(item.state.phrase), status: item.state == .rejected ? .bad : .neutral),
                Cell(.data(item.reason ?? "")),
            ])
        }
        var blocks: [Block] = [
            .table(
                Table(
                    caption: .phrase(ReviewPhrases.reviews),
                    columns: [
                        Table.Column(.phrase(ReviewPhrases.item), .leading, .primary),
                        Table.Column(.phrase(Words.status), .leading, .primary),
                        Table.Column(.phrase(ProductPhrases.rejection)),
                    ], rows: rows)),
            .facts([
                Fact(.phrase(ReviewPhrases.submittedBy), Cell(.data(submission.submittedBy?.description ?? ""))),
                Fact(.phrase(Words.time), Cell(submission.submitted.map { .exact($0) } ?? .none)),
            ]),
        ]
        if mayDecide, submission.submitted != nil {
            blocks += decisions(listed, state.value("submission") == id ? state : .new, request)
        }
        return .section(.data(id), id: "review-\(id)", blocks)
    }

    private func decisions(_ listed: Listed, _ state: FormState, _ request: PageRequest) -> [Block] {
        let id = listed.submission.id
        let call = { (verb: String) in SameCommand.Call("POST", "control/v1/reviews/\(id)/\(verb)") }
        let waiting = listed.submission.items.filter { $0.state == .readyForReview }
        let options =
            [Field.Option("", .phrase(Words.all))]
            + waiting.map { Field.Option("\($0.number)", .data(listed.names[$0.number] ?? "\($0.number)")) }
        var actions: [Action] = [
            .post(
                .phrase(ReviewPhrases.approve), path: request.path("reviews/\(id)/approve"),
                same: SameCommand("reviews approve \(id)", call("approve")))
        ]
        if listed.submission.state == .waitingForReview {
            actions.insert(
                .post(
                    .phrase(ReviewPhrases.start), path: request.path("reviews/\(id)/start"),
                    same: SameCommand("reviews start \(id)", call("start"))), at: 0)
        }
        return [
            .actions(actions),
            .details(
                .phrase(ReviewPhrases.reject),
                [
                    .form(
                        state.form(
                            request.path("reviews/\(id)/reject"), submit: ReviewPhrases.reject, isDangerous: true,
                            same: SameCommand("reviews reject \(id) --reason Incomplete", call("reject")),
                            [
                                .hidden("submission", id),
                                state.field("item", ReviewPhrases.item, .choice(options)),
                                state.field(
                                    "reason", ReviewPhrases.reason, .multiline(rows: 3), isRequired: true,
                                    maximumLength: Self.maximumReasonLength),
                            ]))
                ]),
        ]
    }

    private func path(of subject: ReviewSubmission.Subject, _ listed: Listed, _ request: PageRequest) -> String? {
        switch subject {
        case .product(let number, _):
            listed.submission.items.first { $0.subject.hasSameOwner(as: .product(number, version: "")) }
                .flatMap { listed.names[$0.number] }.map { request.productPath(Product.ID(rawValue: $0)) }
        case .group(let key, _): request.path("groups/\(ConsolePath.encoded(key))")
        }
    }

    // MARK: - Actions

    private func setMode(_ request: FormRequest) async throws -> FormAnswer {
        let mode = try request.values.chosen("mode", ReviewMode.self)
        try await request.page.services.catalog.edit(by: request.page.catalogActor) { try $0.setReviewMode(mode) }
        return .redirect(request.page.path("reviews"), .phrase(SellerPhrases.saved))
    }

    private func reject(_ request: FormRequest) async throws -> FormAnswer {
        let values = request.values
        return try await request.perform(again: page) {
            let reason = values["reason"]
            guard !reason.isEmpty else { throw Refusal("reason", RefusalPhrases.needed) }
            guard reason.count <= Self.maximumReasonLength else { throw Refusal("reason", RefusalPhrases.needed) }
            let items = try values.count("item").map { [$0] }
            return try await decide(request) { try $0.decide($1, items, rejection: reason) }
        }
    }

    private func decide(
        _ request: FormRequest, _ step: @escaping @Sendable (CatalogDraft, String) throws -> Void
    ) async throws -> FormAnswer {
        let id = request.page.parameter("id")
        try await request.page.services.catalog.edit(by: request.page.catalogActor) { try step($0, id) }
        return .redirect(request.page.path("reviews"), .phrase(ReviewPhrases.done))
    }
}
