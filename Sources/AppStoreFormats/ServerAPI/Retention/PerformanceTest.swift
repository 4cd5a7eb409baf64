import Foundation

/// The parameters of a performance test of a seller's real-time endpoint.
public struct PerformanceTestConfig: Hashable, Sendable, Codable {
    /// The most requests in flight at once.
    public var maxConcurrentRequests: Int64
    /// The number of requests.
    public var totalRequests: Int32
    /// The most time of the whole test, in milliseconds.
    public var totalDuration: Int64
    /// The most time of an answer, in milliseconds.
    public var responseTimeThreshold: Int64
    /// The percentage of answers in time that passes.
    public var successRateThreshold: Int32

    /// Perennial's parameters. Apple states its own in the answer only; it allows 700 ms in production.
    public static let standard = PerformanceTestConfig(
        maxConcurrentRequests: 10, totalRequests: 100, totalDuration: 60_000, responseTimeThreshold: 700,
        successRateThreshold: 99)
}

/// The body of Initiate Performance Test.
public struct PerformanceTestRequest: Hashable, Sendable, Codable {
    /// The subscription to ask about.
    public var originalTransactionId: String

    /// Reads a body.
    /// - Throws: ``ServerAPIError`` 4000211.
    package init(parsing body: ServerAPIRequestBody) throws {
        originalTransactionId = try body.required(
            "originalTransactionId", .invalidPerformanceTestRequest, "originalTransactionId is a string")
    }
}

/// The answer to Initiate Performance Test.
public struct PerformanceTestResponse: Hashable, Sendable, Codable {
    /// The parameters of the test.
    public var config: PerformanceTestConfig
    /// The name of the test.
    public var requestId: String

    /// Makes an answer.
    public init(config: PerformanceTestConfig, requestId: String) {
        self.config = config
        self.requestId = requestId
    }
}

/// The answer to Get Performance Test Results.
public struct PerformanceTestResult: Hashable, Sendable, Codable {
    /// The state of a test.
    public enum Status: String, Hashable, Sendable, Codable, CaseIterable {
        /// The test is under way.
        case pending = "PENDING"
        /// The test passed.
        case pass = "PASS"
        /// The test failed.
        case fail = "FAIL"
    }

    /// Milliseconds, over all answers.
    public struct ResponseTimes: Hashable, Sendable, Codable {
        /// The mean.
        public var average: Int64
        /// The median.
        public var p50: Int64
        /// The 90th percentile.
        public var p90: Int64
        /// The 95th percentile.
        public var p95: Int64
        /// The 99th percentile.
        public var p99: Int64

        /// The percentiles of so many measurements, by the nearest rank; zero of none.
        public init(_ milliseconds: [Int64]) {
            let sorted = milliseconds.sorted()
            func percentile(_ part: Int) -> Int64 {
                sorted.isEmpty ? 0 : sorted[max(0, (sorted.count * part + 99) / 100 - 1)]
            }
            average = sorted.isEmpty ? 0 : sorted.reduce(0, +) / Int64(sorted.count)
            p50 = percentile(50)
            p90 = percentile(90)
            p95 = percentile(95)
            p99 = percentile(99)
        }
    }

    /// The parameters of the test.
    public var config: PerformanceTestConfig
    /// The URL that was called.
    public var target: String
    /// The state of the test.
    public var result: Status
    /// The percentage of requests answered well and in time.
    public var successRate: Int32
    /// Requests not made yet.
    public var numPending: Int32
    /// The response times, in milliseconds.
    public var responseTimes: ResponseTimes
    /// The number of failed requests for each value of `sendAttemptResult`.
    public var failures: [String: Int32]

    /// The result of requests that were all made.
    public init(
        config: PerformanceTestConfig, target: String, responseTimes milliseconds: [Int64], failures: [String: Int32]
    ) {
        self.config = config
        self.target = target
        let made = max(Int(config.totalRequests), 1)
        let failed = failures.values.reduce(0) { $0 + Int($1) }
        successRate = Int32(clamping: max(made - failed, 0) * 100 / made)
        result = successRate >= config.successRateThreshold ? .pass : .fail
        numPending = 0
        responseTimes = ResponseTimes(milliseconds)
        self.failures = failures
    }
}
