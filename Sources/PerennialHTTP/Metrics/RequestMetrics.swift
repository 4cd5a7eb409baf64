import HTTPTypes
import Hummingbird
import Synchronization

/// Counts answered requests and their durations by route, method and status.
///
/// Routes are patterns, not paths, so that no client can make up further series.
final class RequestMetrics: Sendable {
    struct Key: Hashable, Comparable {
        var route: String
        var method: String
        var status: Int

        static func < (one: Self, other: Self) -> Bool {
            (one.route, one.method, one.status) < (other.route, other.method, other.status)
        }
    }

    struct Series {
        var count = 0
        var seconds = 0.0
        /// The requests that took at most as long as the bound of the same index; not cumulative.
        var buckets = [Int](repeating: 0, count: RequestMetrics.bounds.count)
    }

    /// Seconds.
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    /// The router's name for requests that no route matches.
    static let unmatched = "NotFound"
    /// The methods that are counted by name; all others are one series.
    private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    private let series = Mutex<[Key: Series]>([:])

    func record(route: String?, method: HTTPRequest.Method, status: Int, seconds: Double) {
        let method = Self.methods.contains(method.rawValue) ? method.rawValue : "other"
        let key = Key(route: route ?? Self.unmatched, method: method, status: status)
        series.withLock { series in
            series[key, default: Series()].count += 1
            series[key, default: Series()].seconds += seconds
            if let bucket = Self.bounds.firstIndex(where: { seconds <= $0 }) {
                series[key, default: Series()].buckets[bucket] += 1
            }
        }
    }

    var snapshot: [(key: Key, series: Series)] {
        series.withLock { Array($0) }.sorted { $0.key < $1.key }.map { (key: $0.key, series: $0.value) }
    }
}

/// Counts every request, also those that end in an error.
struct MetricsMiddleware<Context: RequestContext>: RouterMiddleware {
    let metrics: RequestMetrics
    /// A clock that only ever goes forward.
    let nanoseconds: @Sendable () -> UInt64

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = nanoseconds()
        do {
            let response = try await next(request, context)
            record(request, context, response.status.code, since: start)
            return response
        } catch {
            record(request, context, (error as? any HTTPResponseError)?.status.code ?? 500, since: start)
            throw error
        }
    }

    private func record(_ request: Request, _ context: Context, _ status: Int, since start: UInt64) {
        let elapsed = nanoseconds()
        metrics.record(
            route: context.endpointPath, method: request.method, status: status,
            seconds: Double(elapsed > start ? elapsed - start : 0) / 1e9)
    }
}
