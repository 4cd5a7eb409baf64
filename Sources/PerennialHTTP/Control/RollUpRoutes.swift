import Perennial
import PerennialStore

/// control/v1/roll-ups: the tables that reports read, and their rebuild.
struct RollUpRoutes {
    struct StatusAnswer: AnswerModel {
        struct Item: Model, Encodable {
            var bundleId: String
            /// Counts the app's rebuilds from 1; 0 before the first entry is rolled up.
            var generation: Int64
            var position: Int64
            var journalPosition: Int64
            var lagEntries: Int64
            var lagSeconds: Double
            /// The position that a running rebuild has reached.
            var rebuildPosition: Int64?

            init(_ status: RollUps.Status) {
                bundleId = status.bundleID.rawValue
                generation = status.generation
                position = status.position
                journalPosition = status.journal
                lagEntries = max(status.journal - status.position, 0)
                lagSeconds = Double(status.lagMilliseconds) / 1000
                rebuildPosition = status.rebuilt
            }
        }

        var rollUps: [Item]
    }

    private struct RebuildBody: RequestModel {
        var bundleId: String?
    }

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get("roll-ups", "How far the roll-ups for reports are, by app") {
            (_: Call<NoBody>, context) in try await Self.status(context)
        }
        routes.post("roll-ups/rebuild", "Compute an app's roll-ups anew, or those of all apps", use: rebuild)
    }

    private func rebuild(_ call: Call<RebuildBody?>, _ context: ControlContext) async throws -> StatusAnswer {
        let rollUps = context.store.rollUps
        if let named = try await call.body()?.bundleId {
            try await rollUps.startRebuild(App.BundleID(rawValue: named))
        } else {
            for status in try await rollUps.statuses() { try await rollUps.startRebuild(status.bundleID) }
        }
        return try await Self.status(context)
    }

    private static func status(_ context: ControlContext) async throws -> StatusAnswer {
        StatusAnswer(rollUps: try await context.store.rollUps.statuses().map { StatusAnswer.Item($0) })
    }
}
