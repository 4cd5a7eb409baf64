import PerennialDelivery
import ServiceLifecycle

/// Computes the content files' digests before anyone asks for them, as a service: at the start, and again for files that
/// are new or have changed.
struct ContentDigestService: Service {
    private static let interval = Duration.seconds(60)

    let delivery: Delivery

    func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat {
                await delivery.computeDigests()
            } while (try? await Task.sleep(for: Self.interval)) != nil
        }
    }
}
