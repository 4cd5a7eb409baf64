import ArgumentParser
import Perennial

/// `perennial environment`: the environments of a store.
struct EnvironmentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "environment", "List the environments of a store, make one, or delete one.",
        "Each has its own clock, accounts and purchases; apps and catalogs are shared.",
        examples: [
            "environment list", "environment create staging --now 2026-01-31T10:00:00Z", "environment delete staging",
        ],
        subcommands: [List.self, Create.self, Delete.self], defaultSubcommand: List.self)

    struct List: StoreCommand {
        static let configuration = CommandConfiguration(
            "list", "List the environments of a store.", examples: ["environment list"])

        @OptionGroup var store: OperatorOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.at(.production).get("control/v1/environments")
            return answer.report { answer in
                let rows = answer.environments.map { [$0.name, $0.kind, $0.clock, $0.url(in: client.endpoint)] }
                return TextTable(["NAME", "KIND", "CLOCK", "URL"], rows).text
            }
        }

        private struct Answer: Decodable {
            var environments: [Environment]
        }
    }

    struct Create: StoreCommand {
        static let configuration = CommandConfiguration(
            "create", "Make an environment of its own, with a clock that you move.",
            examples: [
                "environment create staging --now 2026-01-31T10:00:00Z",
                "environment create rehearsal --kind Production --clock real",
                "environment create lab --seed 42 --time-rate monthlyRenewalEveryHour --grace-period-days 16",
            ])

        @Argument(help: "Letters, digits, - and _, at most 64.")
        var name: String

        @Option(help: "Which side of the App Store it stands for.")
        var kind = StoreEnvironment.Kind.sandbox

        @Option(help: "real runs with the world's, manual stands still until it is moved.")
        var clock = StoreEnvironment.Clock.manual

        @Option(help: ArgumentHelp("When a manual clock begins; now where left out.", valueName: "time"))
        var now: Instant?

        @Option(help: ArgumentHelp("Numbers and tokens follow from it, for tests.", valueName: "number"))
        var seed: Int64?

        @OptionGroup var billing: BillingOptions
        @OptionGroup var store: OperatorOptions

        func validate() throws {
            if clock == .real, now != nil { throw ValidationError("--now is for a manual clock.") }
        }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Environment> = try await client.at(.production).post(
                "control/v1/environments",
                Body(
                    name: name, kind: kind.rawValue, clock: clock.rawValue, now: now?.rfc3339(fraction: true),
                    seed: seed, billing: billing.said))
            return answer.report { made in
                "\(made.name) is at \(made.url(in: client.endpoint)): \(made.kind), \(made.clock) clock"
            }
        }

        private struct Body: Encodable {
            var name: String
            var kind: String
            var clock: String
            var now: String?
            var seed: Int64?
            var billing: BillingSettings?
        }
    }

    struct Delete: StoreCommand {
        static let configuration = CommandConfiguration(
            "delete", "Delete an environment, with all that happened in it.", "It can't be undone.",
            examples: ["environment delete staging"])

        @Argument(help: "The environment's name.")
        var name: String

        @OptionGroup var store: OperatorOptions

        func report(from client: StoreClient) async throws -> Report {
            try await client.at(.production).delete("control/v1/environments/\(name.percentEncoded)")
            return Report(words: "\(name) is gone")
        }
    }

    struct Environment: Decodable {
        var name: String
        var kind: String
        var clock: String
        var path: String

        func url(in store: StoreEndpoint) -> String { store.url + (path == "/" ? "" : path) }
    }
}
