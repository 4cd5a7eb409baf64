import Perennial

/// The rows of one app's roll-ups in one environment. A rebuild writes a new generation beside the current one.
package struct RollUpKey: Hashable, Sendable {
    package var environment: StoreEnvironment.ID
    package var app: Int64
    package var generation: Int64

    package init(environment: StoreEnvironment.ID, app: Int64, generation: Int64) {
        self.environment = environment
        self.app = app
        self.generation = generation
    }

    package var values: [SQLValue] { [.integer(environment.rawValue), .integer(app), .integer(generation)] }
}
