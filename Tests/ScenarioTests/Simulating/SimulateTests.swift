import Foundation
import Testing

/// `perennial simulate` as a process of its own.
struct SimulateTests {
    /// The JSON output.
    private struct Result: Decodable, Equatable {
        var seed: UInt64
        var steps: Int
        var entries: Int64
        var journal: String
        var seconds: Double
    }

    private func simulate(_ arguments: [String]) async throws -> PerennialProcess.Ended {
        try await PerennialProcess(["simulate"] + arguments).ended()
    }

    @Test func `the same seed makes the same journal in every process, byte for byte`() async throws {
        let arguments = ["--seed", "7", "--customers", "4", "--json"]
        async let one = simulate(arguments)
        async let other = simulate(arguments)
        let results = try await [one, other].map { ended in
            #expect(ended.status == 0, "\(ended.output)\(ended.errors)")
            #expect(ended.errors.isEmpty)
            return try JSONDecoder().decode(Result.self, from: Data(ended.output.utf8))
        }
        #expect(results[0].journal == results[1].journal)
        #expect(results[0].journal.count == 64)
        #expect(results[0].entries > 0 && results[0].entries == results[1].entries)
    }

    @Test func `--for runs seed after seed, with a line of JSON for each`() async throws {
        let ended = try await simulate(["--seed", "18446744073709551615", "--customers", "1", "--for", "1", "--json"])
        #expect(ended.status == 0, "\(ended.output)\(ended.errors)")
        let lines = ended.output.split(separator: "\n")
        let seeds = try lines.map { try JSONDecoder().decode(Result.self, from: Data($0.utf8)).seed }
        #expect(seeds.first == .max)
        #expect(zip(seeds, seeds.dropFirst()).allSatisfy { $1 == $0 &+ 1 })
    }

    @Test(arguments: [
        ["--customers", "0"], ["--years", "101"], ["--for", "0"], ["--seed", "-1"], ["--seed", "soon"],
    ])
    func `impossible plans are usage errors`(arguments: [String]) async throws {
        let ended = try await simulate(arguments)
        #expect(ended.status == 64)
        #expect(ended.errors.contains(arguments[0]))
    }
}
