import ArgumentParser

/// `perennial roll-ups`: the tables that reports read.
struct RollUpsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "roll-ups", "Show how far the roll-ups for reports are, or compute them again.",
        """
        Reports and statistics read roll-ups: sums that the store keeps from its journal. They follow it within a second, and \
        a report waits for what is missing.
        """,
        examples: ["roll-ups show", "roll-ups rebuild --environment staging"],
        subcommands: [Show.self, Rebuild.self], defaultSubcommand: Show.self)

    struct Show: StoreCommand {
        static let configuration = CommandConfiguration(
            "show", "Show the journal position of each app's roll-ups.",
            examples: ["roll-ups show", "roll-ups show --environment staging --json"])

        @OptionGroup var store: StoreOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<RollUpsAnswer> = try await client.get("control/v1/roll-ups")
            return answer.report(\.table)
        }
    }

    struct Rebuild: StoreCommand {
        static let configuration = CommandConfiguration(
            "rebuild", "Compute the roll-ups from the journal again, and show the progress.",
            """
            Reports read the old roll-ups until the new ones are complete. The work goes on in the store if this command is \
            interrupted.
            """,
            examples: ["roll-ups rebuild", "roll-ups rebuild --app com.example.photomag --environment staging"])

        /// The interval between two questions for the progress.
        private static let interval = Duration.milliseconds(200)

        @Option(help: ArgumentHelp("Of this app; of all apps if omitted.", valueName: "bundle-id"))
        var app: String?

        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app) }

        func report(from client: StoreClient) async throws -> Report {
            let bar = ProgressBar(isQuiet: store.server.json)
            defer { bar.clear() }
            var answer: StoreAnswer<RollUpsAnswer> = try await client.post(
                "control/v1/roll-ups/rebuild", Body(bundleId: app))
            while answer.value.isRebuilding {
                let (done, total) = answer.value.progress
                bar.show(done, of: total, "journal entries")
                try await Task.sleep(for: Self.interval)
                answer = try await client.get("control/v1/roll-ups")
            }
            return answer.report(\.table)
        }

        private struct Body: Encodable {
            var bundleId: String?
        }
    }
}

/// The store's answer about its roll-ups.
struct RollUpsAnswer: Decodable {
    struct Item: Decodable {
        var bundleId: String
        var generation: Int64
        var position: Int64
        var journalPosition: Int64
        var lagSeconds: Double
        var rebuildPosition: Int64?
    }

    var rollUps: [Item]

    var isRebuilding: Bool { rollUps.contains { $0.rebuildPosition != nil } }

    /// The entries that running rebuilds have processed, and all that they have to.
    var progress: (done: Int, total: Int) {
        let running = rollUps.filter { $0.rebuildPosition != nil }
        return (
            Int(clamping: running.reduce(0) { $0 + ($1.rebuildPosition ?? 0) }),
            Int(clamping: running.reduce(0) { $0 + $1.journalPosition })
        )
    }

    var table: String {
        guard !rollUps.isEmpty else { return "No app has a journal yet" }
        return TerminalTable(
            ["APP", "GENERATION", "POSITION", "JOURNAL", "LAG", "REBUILD"],
            rollUps.map { item in
                [
                    item.bundleId, "\(item.generation)", "\(item.position)", "\(item.journalPosition)",
                    "\(item.lagSeconds) s", item.rebuildPosition.map { "at \($0)" } ?? "",
                ]
            }
        ).text
    }
}
