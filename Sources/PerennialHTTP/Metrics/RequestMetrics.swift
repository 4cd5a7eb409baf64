import HTTPTypes
import Synchronization

/// How many requests were answered, how, and how fast: by route, method and status.
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
        /// How many took at most as long as the bound of the same index; not cumulative.
        var buckets = [Int](repeating: 0, count: RequestMetrics.bounds.count)
    }

    /// Seconds.
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    /// What requests that no route is for are counted under: the router calls it so.
    static let unmatched = "NotFound"
    /// Anything else a client calls a method is counted as one.
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
