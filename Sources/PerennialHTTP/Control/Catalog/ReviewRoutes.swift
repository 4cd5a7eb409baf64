import HTTPTypes
import Perennial
import PerennialConnect
import PerennialStorage

/// control/v1/reviews: what sellers have submitted, for the store's operator, who reviews it. All environments share it.
struct ReviewRoutes {
    private struct Item: Model, Encodable {
        var number: Int
        var kind: String
        /// The product ID, or the subscription group's reference name.
        var name: String
        var state: String
        var reason: String?

        static let constraints: [String: Constraint] = [
            "kind": .oneOf([CatalogChange.Subject.product, .group]), "state": .oneOf(ReviewSubmission.Item.State.self),
        ]
    }

    private struct SubmissionModel: AnswerModel {
        var submissionId: String
        var bundleId: String
        var state: String
        var submitted: String?
        var submittedBy: String?
        var items: [Item]

        static let constraints: [String: Constraint] = [
            "state": .oneOf(ReviewSubmission.State.self), "submitted": .time,
            "submittedBy": .described("key:ID, user:EMAIL, control or command-line:NAME"),
        ]

        init(_ submission: ReviewSubmission, _ reader: CatalogReader) throws {
            submissionId = submission.id
            bundleId = try reader.app(submission.app)?.bundleID.rawValue ?? ""
            state = submission.state.rawValue
            submitted = submission.submitted?.rfc3339()
            submittedBy = submission.submittedBy?.description
            items = try submission.items.map { item in
                let (kind, name): (String, String) =
                    switch item.subject {
                    case .product(let product, _): ("product", try reader.product(product)?.id.rawValue ?? "\(product)")
                    case .group(let key, _): ("group", try reader.group(key)?.group.referenceName ?? key)
                    }
                return Item(
                    number: item.number, kind: kind, name: name, state: item.state.rawValue, reason: item.reason)
            }
        }
    }

    private struct ReviewsAnswer: AnswerModel { var reviews: [SubmissionModel] }

    private struct ModeModel: AnswerModel, RequestModel {
        var mode: String

        static let constraints: [String: Constraint] = ["mode": .oneOf(ReviewMode.self)]
    }

    private struct ApprovalBody: RequestModel {
        /// The numbers of items; all that wait if omitted.
        var items: [Int]?
    }

    private struct RejectionBody: RequestModel {
        var reason: String
        /// The numbers of items; all that wait if omitted.
        var items: [Int]?

        static let constraints: [String: Constraint] = ["reason": .pattern(#"^[^\u0000]{1,4000}$"#)]
    }

    private static let maximumReasonLength = 4000

    let editor: CatalogEditor

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get("reviews", "Submissions whose review hasn't ended", query: [.listLimit]) {
            (call: Call<NoBody>, _) in
            let limit = try call.listLimit()
            return try await editor.read { reader in
                let open = try reader.openSubmissions(limit: limit)
                return ReviewsAnswer(reviews: try open.map { try SubmissionModel($0, reader) })
            }
        }
        routes.get("reviews/:id", "A submission") { (_: Call<NoBody>, context) in
            let id = context.name("id")
            return try await editor.read { try Self.found(id, $0) }
        }
        routes.post("reviews/:id/start", "Begin a review", errors: [409]) { (call: Call<NoBody>, context) in
            try await decide(call.request.catalogActor, context) { try $0.startReview($1) }
        }
        routes.post("reviews/:id/approve", "Approve items of a submission", errors: [409]) {
            (call: Call<ApprovalBody?>, context) in
            let items = try await call.body()?.items
            return try await decide(call.request.catalogActor, context) { try $0.decide($1, items, rejection: nil) }
        }
        routes.post("reviews/:id/reject", "Reject items of a submission", errors: [409]) {
            (call: Call<RejectionBody>, context) in
            let body = try await call.body()
            guard (1...Self.maximumReasonLength).contains(body.reason.count) else {
                throw APIError(
                    .badRequest, "malformedRequest", "a reason has 1 to \(Self.maximumReasonLength) characters",
                    field: "reason")
            }
            return try await decide(call.request.catalogActor, context) {
                try $0.decide($1, body.items, rejection: body.reason)
            }
        }
        routes.get("review-mode", "Who reviews submissions") { (_: Call<NoBody>, _) in
            ModeModel(mode: try await editor.read { try $0.reviewMode() }.rawValue)
        }
        routes.put("review-mode", "Choose who reviews submissions") { (call: Call<ModeModel>, _) in
            let body = try await call.body()
            let mode: ReviewMode = try ControlFields.value(body.mode, field: "mode")
            try await editor.edit(by: call.request.catalogActor) { try $0.setReviewMode(mode) }
            return body
        }
    }

    private func decide(
        _ actor: CatalogActor, _ context: ControlContext,
        _ body: @escaping @Sendable (CatalogDraft, String) throws -> Void
    ) async throws -> SubmissionModel {
        let id = context.name("id")
        return try await editor.edit(by: actor) { draft in
            try body(draft, id)
            return try Self.found(id, draft)
        }
    }

    private static func found(_ id: String, _ reader: CatalogReader) throws -> SubmissionModel {
        guard let submission = try reader.reviewSubmission(id) else {
            throw CatalogEditError(.notFound, "There is no submission with the ID \(id).")
        }
        return try SubmissionModel(submission, reader)
    }
}
