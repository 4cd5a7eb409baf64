import PerennialDelivery
import ServiceLifecycle

/// Computes the digests of content files ahead of requests: at the start, and for new and changed files.
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
