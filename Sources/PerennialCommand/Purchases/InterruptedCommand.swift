import ArgumentParser

/// `perennial interrupted`: purchases that failed until their customers act.
struct InterruptedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "interrupted", "List the purchases that were interrupted, and resolve them.",
        "Purchases of an account are interrupted after: perennial accounts edit NAME --interrupts-purchases.",
        examples: ["interrupted list", "interrupted resolve 1"],
        subcommands: [List.self, Resolve.self], defaultSubcommand: List.self)

    struct List: PendingPurchaseList {
        static let configuration = CommandConfiguration(
            "list", "List the interrupted purchases that wait for their customers, oldest first.",
            examples: ["interrupted list"])
        static let list = "interruptions"
        static let none = "No purchase waits for its customer"

        @OptionGroup var page: PageOptions
        @OptionGroup var app: AppOption
        @OptionGroup var store: StoreOptions
    }

    struct Resolve: StoreCommand {
        static let configuration = CommandConfiguration(
            "resolve", "Do for the customer what the interruption asks for: the purchase is completed.",
            examples: ["interrupted resolve 1", "interrupted resolve 1 --give-up"])

        @Argument(help: "The interrupted purchase's number.")
        var id: Int64

        @Flag(help: "Don't buy.")
        var giveUp = false

        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(things: [.interruption(id)]) }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<CompletedPurchase> = try await client.post(
                "control/v1/interruptions/\(id)/resolve", ["completed": !giveUp])
            return answer.report { answer in
                answer.transactionId.map { "\(id) is bought: \($0)" } ?? "\(id) is answered: nothing is bought"
            }
        }
    }
}
