import ArgumentParser
import Perennial

/// `perennial reviews`: submissions of products and subscription groups, and the operator's answers.
struct ReviewsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "reviews", "List what sellers have submitted for review, approve and reject it.",
        """
        Reviews are automatic until reviews mode set manual: a submission is approved at once. \
        They are about the catalog, which all environments share. What was approved can be removed from sale.
        """,
        examples: [
            "reviews list", "reviews mode set manual", "reviews approve 5d1c9f0e-7a51-8c1d-9b1e-0b6f3a8c2d11",
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
                    : TerminalTable(
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

    /// `perennial reviews mode`: whether the store or its operator reviews.
    struct Mode: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            "mode", "Show and set who reviews: the store at once, or its operator.",
            examples: ["reviews mode show", "reviews mode set manual"], subcommands: [Show.self, Set.self],
            defaultSubcommand: Show.self)

        static let path = "control/v1/review-mode"

        struct Show: StoreCommand {
            static let configuration = CommandConfiguration(
                "show", "Show who reviews.", examples: ["reviews mode show"])

            @OptionGroup var store: OperatorOptions

            func report(from client: StoreClient) async throws -> Report {
                let answer: StoreAnswer<Message> = try await client.at(.production).get(Mode.path)
                return answer.report(\.sentence)
            }
        }

        struct Set: StoreCommand {
            static let configuration = CommandConfiguration(
                "set", "Set who reviews: the store at once, or its operator.",
                examples: ["reviews mode set manual", "reviews mode set automatic"])

            @Argument(help: ArgumentHelp("automatic or manual.", valueName: "mode"))
            var mode: ReviewMode

            @OptionGroup var store: OperatorOptions

            func report(from client: StoreClient) async throws -> Report {
                let answer: StoreAnswer<Message> = try await client.at(.production).put(
                    Mode.path, Message(mode: mode.rawValue))
                return answer.report(\.sentence)
            }
        }

        private struct Message: Codable {
            var mode: String

            var sentence: String { mode == "manual" ? "The operator reviews" : "Submissions are approved at once" }
        }
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
