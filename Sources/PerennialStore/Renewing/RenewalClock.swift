import Logging
import Perennial

/// Watches the environments that run on real time, and works off what falls due. One loop for all of them: an idle environment
/// costs neither a thread nor a timer.
package struct RenewalClock: Sendable {
    private let registry: StoreRegistry
    private let pause: @Sendable () async throws -> Void
    private let logger: Logger

    /// - Parameter pause: Waits until it is time to look again; throws when it is time to stop.
    package init(
        registry: StoreRegistry, pause: @escaping @Sendable () async throws -> Void, logger: Logger
    ) {
        self.registry = registry
        self.pause = pause
        self.logger = logger
    }

    /// Runs until `pause` throws.
    package func run() async {
        repeat {
            do {
                for environment in try await registry.environments() where environment.clock == .real {
                    let store = try await registry.store(named: environment.name)
                    try await store?.workOffDue()
                    try await store?.workOffMassExtensions()
                    try await store?.workOffPriceChanges()
                }
            } catch {
                logger.error("renewals failed and will be tried again", metadata: ["error": "\(error)"])
            }
        } while (try? await pause()) != nil
    }
}
