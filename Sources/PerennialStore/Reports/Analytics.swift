import BaseEncoding
import Foundation
import Perennial
import PerennialStorage

/// Analytics reports: requests for them, and the instances and segments that exist.
///
/// Only requests are stored. IDs of reports, instances and segments say what they are of, and files are made from the
/// roll-ups when they are asked for.
package struct Analytics: StoreChapter {
    let context: StoreContext
    let rollUps: RollUps
    let cipher: ReceiptOwnerCipher
    let randomBytes: @Sendable (Int) -> [UInt8]

    /// A report of a request.
    package struct Report: Hashable, Sendable {
        package let request: AnalyticsRequest
        package let kind: AnalyticsReport

        package var id: String { "r\(kind.rawValue)-\(request.id)" }
    }

    /// A file of a report, processed on a day.
    package struct Instance: Hashable, Sendable {
        package let report: Report
        package let instance: AnalyticsInstance

        /// The granularity's first letter and the day come after the report.
        package var id: String {
            let letter = instance.granularity.rawValue.prefix(1).lowercased()
            return "\(letter)\(instance.processingDate)-\(report.id)"
        }

        /// The ID of the one segment.
        package var segmentID: String { "s1-\(id)" }
    }

    /// Asks for the reports of an app.
    ///
    /// - Returns: `nil` if the app has a request of this kind.
    package func add(_ access: AnalyticsRequest.Access, for app: App) async throws -> AnalyticsRequest? {
        let id = uuid()
        return try await database.write { [environment, clock] connection in
            let request = AnalyticsRequest(
                id: id, app: app.appleID, access: access, created: try clock.now(on: connection))
            return try AnalyticsRequestsTable.insert(request, environment.id, on: connection) ? request : nil
        }
    }

    /// Returns an app's requests, oldest first.
    package func requests(of app: App) async throws -> [AnalyticsRequest] {
        try await database.read { [environment] in
            try AnalyticsRequestsTable.all(of: app.appleID, environment.id, on: $0)
        }
    }

    package func request(_ id: String) async throws -> AnalyticsRequest? {
        try await database.read { [environment] in try AnalyticsRequestsTable.request(id, environment.id, on: $0) }
    }

    /// Removes a request, and with it its reports.
    ///
    /// - Returns: False if there is no such request.
    package func remove(_ id: String) async throws -> Bool {
        try await database.write { [environment] in try AnalyticsRequestsTable.delete(id, environment.id, on: $0) }
    }

    /// Returns the reports of a request, which are there from its first moment.
    package func reports(of request: AnalyticsRequest) -> [Report] {
        AnalyticsReport.allCases.map { Report(request: request, kind: $0) }
    }

    /// Finds a report by its ID.
    package func report(_ id: String) async throws -> Report? {
        let parts = id.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, let kind = AnalyticsReport.allCases.first(where: { "r\($0.rawValue)" == parts[0] }),
            let request = try await request(String(parts[1]))
        else { return nil }
        return Report(request: request, kind: kind)
    }

    /// Returns the instances of a report, newest first.
    package func instances(
        of report: Report, _ granularities: [AnalyticsInstance.Granularity]
    ) async throws -> [Instance] {
        let today = PacificDay(try await now())
        return granularities.flatMap { report.request.instances($0, on: today) }
            .map { Instance(report: report, instance: $0) }
            .sorted { $1.instance.processingDate < $0.instance.processingDate }
    }

    /// Finds an instance by its ID.
    package func instance(_ id: String) async throws -> Instance? {
        guard let start = id.range(of: "-r"),
            let report = try await report(String(id[id.index(after: start.lowerBound)...]))
        else { return nil }
        return try await instances(of: report, AnalyticsInstance.Granularity.allCases).first { $0.id == id }
    }

    /// Finds the instance of a segment.
    package func instance(ofSegment id: String) async throws -> Instance? {
        guard id.hasPrefix("s1-") else { return nil }
        return try await instance(String(id.dropFirst(3)))
    }

    private func uuid() -> String {
        var bytes = randomBytes(16)
        // Version 4 of RFC 9562.
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }.uuidString.lowercased()
    }
}
