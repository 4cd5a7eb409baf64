import ArgumentParser

/// `perennial interruptions`: purchases that failed until their customers act.
struct Interruptions: StoreCommand {
    static let configuration = CommandConfiguration(
        "interruptions", "List the purchases that were interrupted and wait for their customers.",
        "Purchases of an account are interrupted after: perennial account NAME --interrupts-purchases.",
        examples: ["interruptions --app com.example.magazine"])

    @Option(help: ArgumentHelp("The app's bundle ID.", valueName: "bundle-id"))
    var app: String

    @OptionGroup var store: StoreOptions

    func report(from client: StoreClient) async throws -> Report {
        let answer: StoreAnswer<Answer> = try await client.get(
            "control/v1/interruptions?bundleId=\(app.percentEncoded)")
        return answer.report { answer in
            guard !answer.interruptions.isEmpty else { return "No purchase waits for its customer" }
            return TextTable(
                ["ID", "ACCOUNT", "PRODUCT", "QUANTITY"],
                answer.interruptions.map { [$0.id, $0.account, $0.productId, "\($0.quantity)"] }
            ).text
        }
    }

    private struct Answer: Decodable {
        struct Item: Decodable {
            var id: String
            var account: String
            var productId: String
            var quantity: Int
        }

        var interruptions: [Item]
    }
}

/// `perennial resolve ID`
struct Resolve: StoreCommand {
    static let configuration = CommandConfiguration(
        "resolve", "Do for the customer what interrupted a purchase: it is bought then.",
        examples: ["resolve 1", "resolve 1 --give-up"])

    @Argument(help: "The interrupted purchase's number.")
    var id: Int64

    @Flag(help: "Don't buy.")
    var giveUp = false

    @OptionGroup var store: StoreOptions

    func report(from client: StoreClient) async throws -> Report {
        let answer: StoreAnswer<ApprovedPurchase> = try await client.post(
            "control/v1/interruptions/\(id)/resolve", ["completed": !giveUp])
        return answer.report { answer in
            answer.transactionId.map { "\(id) is bought: \($0)" } ?? "\(id) is answered: nothing is bought"
        }
    }
}
