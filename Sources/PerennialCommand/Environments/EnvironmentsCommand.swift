import ArgumentParser
import Perennial

/// `perennial environments`: the environments of a store.
struct EnvironmentsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "environments", "List, create, reset and delete the environments of a store.",
        "Each has its own clock, accounts and purchases; apps and catalogs are shared.",
        examples: [
            "environments list", "environments create lab --now 2026-01-31T10:00:00Z", "environments reset staging",
            "environments delete staging",
        ],
        subcommands: [List.self, Create.self, Reset.self, Delete.self], defaultSubcommand: List.self)

    struct List: StoreCommand {
        static let configuration = CommandConfiguration(
            "list", "List the environments of a store, in the order of their creation.",
            examples: ["environments list"])

        @Option(help: "Only environments of this kind.")
        var kind: StoreEnvironment.Kind?

        @OptionGroup var page: PageOptions
        @OptionGroup var store: OperatorOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.at(.production).get(
                "control/v1/environments\(page.query(["kind": kind?.rawValue]))")
            return answer.report { answer in
                let rows = answer.environments.map { [$0.name, $0.kind, $0.clock, $0.url(in: client.endpoint)] }
                return ListWords.text(
                    ["NAME", "KIND", "CLOCK", "URL"], rows, next: answer.next, none: "No environment follows")
            }
        }

        private struct Answer: Decodable {
            var environments: [Environment]
            var next: String?
        }
    }

    struct Create: StoreCommand {
        static let configuration = CommandConfiguration(
            "create", "Create an environment, with a clock that you move.",
            examples: [
                "environments create lab --now 2026-01-31T10:00:00Z",
                "environments create rehearsal --kind Production --clock real",
                "environments create lab --seed 42 --renewal-rate monthly-renewal-every-hour --grace-period 16",
            ])

        @Argument(help: "Letters, digits, - and _, at most 64.")
        var name: String

        @Option(help: "The environment of the App Store that it imitates.")
        var kind = StoreEnvironment.Kind.sandbox

        @Option(help: "real runs with the machine's clock, manual stands still until it is advanced.")
        var clock = StoreEnvironment.Clock.manual

        @Option(help: ArgumentHelp("The start of a manual clock; now if omitted.", valueName: "time"))
        var now: Instant?

        @Option(help: ArgumentHelp("The seed of numbers and tokens, for tests.", valueName: "number"))
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

    struct Reset: DestructiveCommand {
        static let configuration = CommandConfiguration(
            "reset", "Empty an environment: accounts, devices, purchases, journal.",
            "Catalog and keys stay, and so does the time. It can't be undone.",
            examples: ["environments reset Sandbox", "environments reset staging --yes"])

        @Argument(help: "The environment's name.")
        var name: EnvironmentName

        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(environment: name.name) }
        var question: String { "Empty the environment \(name.name)? Its accounts and purchases can't be restored." }

        func report(from client: StoreClient) async throws -> Report {
            try await client.at(name).post("control/v1/reset")
            return Report(words: "\(name.name) is empty")
        }
    }

    struct Delete: DestructiveCommand {
        static let configuration = CommandConfiguration(
            "delete", "Delete an environment, with all that happened in it.", "It can't be undone.",
            examples: ["environments delete staging", "environments delete staging --yes"])

        @Argument(help: "The environment's name.")
        var name: String

        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(environment: name) }
        var question: String { "Delete the environment \(name)? Its accounts and purchases can't be restored." }

        func report(from client: StoreClient) async throws -> Report {
            try await client.at(.production).delete("control/v1/environments/\(name.percentEncoded)")
            return Report(words: "\(name) is deleted")
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
