import ArgumentParser
import Perennial

/// `perennial clock`: the clock of an environment.
struct ClockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "clock", "Show an environment's clock, or advance a manual one.",
        examples: ["clock", "clock advance --by P1M --environment staging"],
        subcommands: [Show.self, Advance.self], defaultSubcommand: Show.self)

    struct Show: StoreCommand {
        static let configuration = CommandConfiguration(
            "show", "Show the time in an environment.", examples: ["clock show --environment staging"])

        @OptionGroup var store: StoreOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.get("control/v1/clock")
            return answer.report { "\($0.now), \($0.kind) clock" }
        }

        private struct Answer: Decodable {
            var now: String
            var kind: String
        }
    }

    struct Advance: StoreCommand {
        static let configuration = CommandConfiguration(
            "advance", "Advance a manual clock, and process all renewals and notifications on the way.",
            "Answers when all is done. Only the clock of an environment that was created with a manual one can be advanced.",
            examples: [
                "clock advance --by P1M --environment staging",
                "clock advance --by PT5M --environment staging",
                "clock advance --to 2026-12-31T00:00:00Z --environment staging",
            ])

        @Option(
            help: ArgumentHelp("An ISO 8601 duration such as P1M, P2W, P1DT12H or PT5M.", valueName: "duration"),
            transform: Self.duration)
        var by: CalendarDuration?

        @Option(help: ArgumentHelp("A time such as 2026-01-31T10:00:00Z.", valueName: "time"))
        var to: Instant?

        @OptionGroup var store: StoreOptions

        func validate() throws {
            guard (by == nil) != (to == nil) else { throw ValidationError("Say either --by or --to.") }
        }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.post(
                "control/v1/clock/advance", Body(by: by?.description, to: to?.rfc3339(fraction: true)),
                timeout: StoreClient.advanceTimeout)
            return answer.report { moved in
                "\(moved.now), \(moved.events) event\(moved.events == 1 ? "" : "s") on the way"
            }
        }

        /// - Throws: `ValidationError` with the reason.
        private static func duration(_ text: String) throws -> CalendarDuration {
            do {
                return try CalendarDuration(iso8601: text)
            } catch {
                throw ValidationError("\(error.reason).")
            }
        }

        private struct Body: Encodable {
            var by: String?
            var to: String?
        }

        private struct Answer: Decodable {
            var now: String
            var events: Int
        }
    }
}
