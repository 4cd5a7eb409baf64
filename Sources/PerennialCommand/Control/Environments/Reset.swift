import ArgumentParser

/// `perennial reset`: an environment as new.
struct Reset: StoreCommand {
    static let configuration = CommandConfiguration(
        "reset", "Empty an environment: accounts, devices, purchases, journal.",
        "Catalog and keys stay, and so does the clock. It can't be undone.",
        examples: ["reset", "reset --environment staging"])

    @OptionGroup var store: StoreOptions

    func report(from client: StoreClient) async throws -> Report {
        try await client.post("control/v1/reset")
        return Report(words: "\(store.environment.name) is empty")
    }
}
