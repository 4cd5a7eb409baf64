import Foundation
import ServiceLifecycle
import TestSupport
import Testing

@testable import PerennialCommand

struct ChildCommandTests {
    /// Says when the services run, and runs until they are asked to stop.
    private struct Beacon: Service {
        let lit: AsyncStream<Void>.Continuation

        func run() async throws {
            lit.finish()
            try await gracefulShutdown()
        }
    }

    /// A command that began has an exit code, whenever the stop came.
    @Test func `a stop during the start ends the command or prevents it`() async throws {
        let folder = try TemporaryFolder.make()
        for round in 0..<30 {
            let mark = "\(folder)/\(round)"
            let child = ChildCommand(["/bin/sh", "-c", "echo > \(mark); exec sleep 600"])
            let (lighting, lit) = AsyncStream.makeStream(of: Void.self)
            let group = ServiceGroup(services: [child, Beacon(lit: lit)], logger: TestStore.quiet)
            try await withThrowingTaskGroup { tasks in
                tasks.addTask { try await group.run() }
                for await _ in lighting {}
                tasks.addTask { try child.start(url: "", token: "", readyFile: nil) }
                if round.isMultiple(of: 2) { await Task.yield() }
                tasks.addTask { await group.triggerGracefulShutdown() }
                try await tasks.waitForAll()
            }
            let hasBegun = FileManager.default.fileExists(atPath: mark)
            #expect(child.exitCode == ChildCommand.prevented || child.exitCode == nil && !hasBegun, "round \(round)")
        }
    }
}
