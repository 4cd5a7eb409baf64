import Foundation
import TestSupport
import Testing

/// `perennial exercise --kills`: nodes that are killed in requests, between them and while they start, and what their clients
/// were told.
struct ExerciseKillTests {
    private static let catalog = """
        bundleId: com.example.camera
        name: Camera
        products:
          - {id: film.roll, type: consumable, price: 0.99, localizations: {en_US: {name: Film, description: Film}}}
          - {id: filter.amber, type: non-consumable, price: 1.99, localizations: {en_US: {name: Amber, description: Light}}}
          - id: darkroom.monthly
            type: auto-renewable
            price: 4.99
            localizations: {en_US: {name: Darkroom, description: All filters}}
            subscription: {group: darkroom, level: 1, period: P1M}
        """

    /// The result of the exercise, as far as it is looked at.
    private struct Summary: Decodable {
        var kills: Int
        var sales: Int
        var customers: Int
        var isComplete: Bool
    }

    private struct Case: Sendable {
        var options: [String]
        var seed: Int
        var kills: Int
        var seconds: Int
    }

    /// A few seconds in every run of the tests, minutes where there is time: `make test-long`.
    private static let cases: [Case] = {
        let isLong = ProcessInfo.processInfo.environment["PERENNIAL_LONG"] != nil
        let places = [[], ["--database", "postgres", "--nodes", "3"], ["--database", "postgres"]]
        return places.enumerated().map { index, options in
            Case(
                options: options, seed: index + 1, kills: isLong ? 60 : 4, seconds: isLong ? 180 : 8)
        }
    }()

    @Test(arguments: cases.indices)
    func `every rule holds although nodes are killed`(index: Int) async throws {
        let run = Self.cases[index]
        let folder = try TemporaryFolder.make()
        let (catalog, history) = ("\(folder)/catalog.yaml", "\(folder)/history.jsonl")
        try Data(Self.catalog.utf8).write(to: URL(filePath: catalog))
        let exercised = try await PerennialProcess(
            [
                "exercise", "--kills", "\(run.kills)", "--for", "\(run.seconds)", "--seed", "\(run.seed)", "--clients",
                "3", "--catalog", catalog, "--history", history, "--json",
            ] + run.options
        ).ended()
        #expect(exercised.status == 0, "\(exercised.output)\(exercised.errors)")
        let summary = try JSONDecoder().decode(Summary.self, from: Data(exercised.output.utf8))
        // A slow machine has no time for all.
        #expect((1...run.kills).contains(summary.kills))
        #expect(summary.isComplete)
        #expect(summary.sales > 0 && summary.customers > 0)
        let checked = try await PerennialProcess(["check", history]).ended()
        #expect(checked.status == 0, "seed \(run.seed): \(checked.output)\(checked.errors)")
    }

    @Test(arguments: [
        ["--kills", "0"], ["--kills", "1"], ["--nodes", "2"], ["--kills", "1", "--catalog", "c.yaml", "--nodes", "2"],
        ["--kills", "1", "--catalog", "c.yaml", "http://127.0.0.1:8080"],
    ])
    func `kills of other nodes, or without a catalog, are usage errors`(options: [String]) async throws {
        let ended = try await PerennialProcess(["exercise", "--history", "h.jsonl"] + options).ended()
        #expect(ended.status == 64, "\(ended.errors)")
        #expect(ended.errors.contains("--"))
    }
}
