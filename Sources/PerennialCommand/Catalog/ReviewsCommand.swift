import ArgumentParser
import Perennial

/// `perennial reviews`: submissions of products and subscription groups, and the operator's answers.
struct ReviewsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "reviews", "List what sellers have submitted for review, approve and reject it.",
        """
        Reviews are automatic until reviews mode manual: a submission is approved at once. \
        They are about the catalog, which all environments share. What was approved can be removed from sale.
        """,
        examples: [
            "reviews list", "reviews mode manual", "reviews approve 5d1c9f0e-7a51-8c1d-9b1e-0b6f3a8c2d11",
            "reviews reject 5d1c9f0e-7a51-8c1d-9b1e-0b6f3a8c2d11 --reason Incomplete",
        ],
        subcommands: [
            List.self, Start.self, Approve.self, Reject.self, Remove.self, Restore.self, Mode.self,
        ], defaultSubcommand: List.self)

    struct List: StoreCommand {
        static let configuration = CommandConfiguration(
            "list", "List the submissions whose review hasn't ended.", examples: ["reviews list"])

        @OptionGroup var store: OperatorOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.at(.production).get("control/v1/reviews")
            return answer.report { answer in
                answer.reviews.isEmpty
                    ? "Nothing waits for a review"
                    : TextTable(
                        ["SUBMISSION", "APP", "STATE", "ITEM", "NAME", "ITEM STATE"],
                        answer.reviews.flatMap { review in
                            review.items.map {
                                [review.submissionId, review.bundleId, review.state, "\($0.number)", $0.name, $0.state]
                            }
                        }
                    ).text
            }
        }

        private struct Answer: Decodable { var reviews: [Submission] }
    }

    struct Start: StoreCommand {
        static let configuration = CommandConfiguration(
            "start", "Begin the review of a submission, which its seller sees.",
            examples: ["reviews start 5d1c9f0e-7a51-8c1d-9b1e-0b6f3a8c2d11"])

        @OptionGroup var submission: SubmissionArgument

        @OptionGroup var store: OperatorOptions

        var names: StoreNames { submission.names }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Submission> = try await client.at(.production).post(
                "control/v1/reviews/\(submission.id.percentEncoded)/start", NoFields())
            return answer.report { $0.text }
        }
    }

    struct Approve: StoreCommand {
        static let configuration = CommandConfiguration(
            "approve", "Approve a submission, or some of its items.",
            examples: ["reviews approve 5d1c9f0e-7a51-8c1d-9b1e-0b6f3a8c2d11"])

        @OptionGroup var submission: SubmissionArgument

        @OptionGroup var items: SubmissionItems

        @OptionGroup var store: OperatorOptions

        var names: StoreNames { submission.names }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Submission> = try await client.at(.production).post(
                "control/v1/reviews/\(submission.id.percentEncoded)/approve", Body(items: items.numbers))
            return answer.report { $0.text }
        }

        private struct Body: Encodable { var items: [Int]? }
    }

    struct Reject: StoreCommand {
        static let configuration = CommandConfiguration(
            "reject", "Reject a submission, or some of its items, with a reason for the seller.",
            examples: [
                "reviews reject 5d1c9f0e-7a51-8c1d-9b1e-0b6f3a8c2d11 --reason Incomplete"
            ])

        @OptionGroup var submission: SubmissionArgument

        @Option(help: "The reason, which the seller reads.")
        var reason: String

        @OptionGroup var items: SubmissionItems

        @OptionGroup var store: OperatorOptions

        var names: StoreNames { submission.names }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Submission> = try await client.at(.production).post(
                "control/v1/reviews/\(submission.id.percentEncoded)/reject",
                Body(reason: reason, items: items.numbers))
            return answer.report { $0.text }
        }

        private struct Body: Encodable {
            var reason: String
            var items: [Int]?
        }
    }

    struct Mode: StoreCommand {
        static let configuration = CommandConfiguration(
            "mode", "Show or choose who reviews: the store at once, or its operator.",
            examples: ["reviews mode", "reviews mode manual", "reviews mode automatic"])

        @Argument(help: ArgumentHelp("automatic or manual; shows the mode if omitted.", valueName: "mode"))
        var mode: ReviewMode?

        @OptionGroup var store: OperatorOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Body> =
                if let mode {
                    try await client.at(.production).put("control/v1/review-mode", Body(mode: mode.rawValue))
                } else {
                    try await client.at(.production).get("control/v1/review-mode")
                }
            return answer.report { $0.mode == "manual" ? "The operator reviews" : "Submissions are approved at once" }
        }

        private struct Body: Codable { var mode: String }
    }

    struct Submission: Decodable {
        struct Item: Decodable {
            var number: Int
            var name: String
            var state: String
            var reason: String?
        }

        var submissionId: String
        var bundleId: String
        var state: String
        var items: [Item]

        var text: String {
            items.map { item in
                "\(item.name): \(item.state.lowercased())" + (item.reason.map { ": \($0)" } ?? "")
            }.joined(separator: "\n")
        }
    }
}

extension ReviewMode: ExpressibleByArgument {}

/// The submission that a command is about.
struct SubmissionArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The submission's ID.", valueName: "submission"))
    var id: String

    var names: StoreNames { StoreNames(things: [.submission(id)]) }
}

/// The items of a submission that an answer is about.
struct SubmissionItems: ParsableArguments {
    @Option(parsing: .upToNextOption, help: "The numbers of items; all that wait if omitted.")
    var item: [Int] = []

    /// The numbers; `nil` for all that wait.
    var numbers: [Int]? { item.isEmpty ? nil : item }
}
