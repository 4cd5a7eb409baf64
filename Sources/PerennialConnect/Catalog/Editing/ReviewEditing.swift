import Perennial
import PerennialStorage

extension CatalogReader {
    package func reviewSubmission(_ id: String) throws -> ReviewSubmission? {
        try ReviewSubmissionsTable.submission(id, on: connection)
    }

    /// Returns the submissions of an app, oldest first, without products and groups that were submitted directly.
    package func reviewSubmissions(app: Int64) throws -> [ReviewSubmission] {
        try ReviewSubmissionsTable.submissions(app: app, on: connection).filter { $0.platform != nil }
    }

    package func reviewMode() throws -> ReviewMode { try consistent { try ReviewSettingsTable.mode(on: $0) } }
}

extension CatalogDraft {
    /// Opens a submission.
    ///
    /// - Returns: Its ID.
    /// - Throws: ``CatalogEditError`` `.state` if the app has an open one for the platform.
    package func openSubmission(app: Int64, platform: ReviewSubmission.Platform) throws -> String {
        let known = try reviewSubmissions(app: app)
        if let open = known.first(where: { $0.platform == platform && $0.isOpen }) {
            // In Apple's words, from which clients read the ID.
            throw CatalogEditError(
                .state, "There is another reviewSubmissions with id \(open.id) still in progress")
        }
        return try insert(app: app, platform: platform).id
    }

    /// Adds the current version of a product or group to a submission.
    ///
    /// - Returns: The item's number.
    /// - Throws: ``CatalogEditError``.
    package func addItem(_ subject: ReviewSubmission.Subject, toSubmission id: String) throws -> Int {
        var number = 0
        try update(submission: id) { submission in
            guard try app(of: subject) == submission.app else {
                throw CatalogEditError(
                    .relationshipInvalid, at: .relationship("reviewSubmission"),
                    "The review submission is that of another app")
            }
            try expectInNoSubmission(subject, app: submission.app)
            number = try submission.add(try review(subject, .addToSubmission))
        }
        return number
    }

    /// Removes an item from its submission.
    ///
    /// - Throws: ``CatalogEditError``.
    package func removeItem(_ number: Int, fromSubmission id: String) throws {
        try update(submission: id) { submission in
            let item = try submission.remove(number)
            // The version of a rejected item stays rejected.
            if item.state == .readyForReview, submission.state == .readyForReview {
                _ = try review(item.subject, .removeFromSubmission)
            }
        }
    }

    /// States that a rejected item was mended.
    ///
    /// - Throws: ``CatalogEditError``.
    package func resolveItem(_ number: Int, ofSubmission id: String) throws {
        try update(submission: id) { try $0.resolve(number) }
    }

    /// Submits the items. With automatic reviews they are approved at once.
    ///
    /// - Throws: ``CatalogEditError``; `.stateInvalid` with what an item lacks in `associated`.
    package func submit(_ id: String) throws {
        try update(submission: id) { submission in
            for item in try submission.submit(by: actor, at: at) {
                let subject = try review(item.subject, .submit)
                submission.replaceSubject(of: item.number, by: subject)
            }
        }
        if try reviewMode() == .automatic { try decide(id, rejection: nil) }
    }

    /// Withdraws a submission.
    ///
    /// - Throws: ``CatalogEditError``.
    package func cancelSubmission(_ id: String) throws {
        try update(submission: id) { submission in
            for item in try submission.cancel() { _ = try review(item.subject, .withdraw) }
        }
    }

    /// Withdraws the submissions of a product or group whose review hasn't ended.
    ///
    /// - Throws: ``CatalogEditError`` `.stateInvalid` if there is none.
    package func withdrawFromReview(_ subject: ReviewSubmission.Subject) throws {
        let open = try app(of: subject).map { try ReviewSubmissionsTable.submissions(app: $0, on: connection) } ?? []
        let found = open.filter { submission in
            submission.isOpen && submission.items.contains { $0.isUnderReview && $0.subject.hasSameOwner(as: subject) }
        }
        guard !found.isEmpty else {
            throw CatalogEditError(.stateInvalid, "Nothing of it waits for a review.")
        }
        for submission in found { try cancelSubmission(submission.id) }
    }

    /// Submits the current version of a product or group by itself.
    ///
    /// - Returns: The ID of the submission.
    /// - Throws: ``CatalogEditError``.
    package func submitDirectly(_ subject: ReviewSubmission.Subject) throws -> String {
        guard let app = try app(of: subject) else { throw CatalogEditError(.notFound, "There is no such resource.") }
        try expectInNoSubmission(subject, app: app)
        var submission = try insert(app: app, platform: nil)
        _ = try submission.add(subject)
        try ReviewSubmissionsTable.upsert(submission, number: 0, on: connection)
        try submit(submission.id)
        return submission.id
    }

    /// Submits the current version of a product or group by itself; after a rejection again, in the same submission.
    ///
    /// - Returns: The ID of the submission.
    /// - Throws: ``CatalogEditError``.
    package func submitForReview(_ subject: ReviewSubmission.Subject) throws -> String {
        guard let app = try app(of: subject) else { throw CatalogEditError(.notFound, "There is no such resource.") }
        for known in try ReviewSubmissionsTable.submissions(app: app, on: connection)
        where known.platform == nil && known.state == .unresolvedIssues {
            let rejected = known.items.first { $0.state == .rejected && $0.subject.hasSameOwner(as: subject) }
            guard let rejected else { continue }
            try resolveItem(rejected.number, ofSubmission: known.id)
            try submit(known.id)
            return known.id
        }
        return try submitDirectly(subject)
    }

    // MARK: - The reviewer

    /// Starts the review of a submission.
    ///
    /// - Throws: ``CatalogEditError``.
    package func startReview(_ id: String) throws {
        try update(submission: id) { submission in
            for item in try submission.start() { _ = try review(item.subject, .startReview) }
        }
    }

    /// Approves or rejects items of a submission.
    ///
    /// - Parameters:
    ///   - numbers: The items; `nil` for all that wait.
    ///   - rejection: The reason of a rejection; `nil` for an approval.
    /// - Throws: ``CatalogEditError``.
    package func decide(_ id: String, _ numbers: [Int]? = nil, rejection: String?) throws {
        try update(submission: id) { submission in
            let waiting = submission.items.filter { $0.state == .readyForReview }.map(\.number)
            for number in numbers ?? waiting {
                try submission.decide(number, rejection: rejection)
                guard let item = submission.item(number) else { continue }
                _ = try review(item.subject, rejection == nil ? .approve : .reject, reason: rejection)
            }
            if (numbers ?? waiting).isEmpty {
                throw CatalogEditError(.stateInvalid, "The review submission has no item that waits for its review.")
            }
        }
    }

    package func setReviewMode(_ mode: ReviewMode) throws { try ReviewSettingsTable.set(mode, on: connection) }

    // MARK: - Parts

    /// Moves the version of a product or group and returns it: a rejected one is replaced by a new draft.
    private func review(
        _ subject: ReviewSubmission.Subject, _ step: ReviewStep, reason: String? = nil
    ) throws -> ReviewSubmission.Subject {
        switch subject {
        case .product(let appleID, let version):
            try update(appleID) { product in
                if step == .addToSubmission || step == .removeFromSubmission {
                    try Self.expectCurrent(version, product.currentVersion.id)
                }
                try product.review(step, reason: reason)
            }
            return .product(appleID, version: try product(appleID)?.currentVersion.id ?? version)
        case .group(let key, let version):
            try update(group: key) { group in
                if step == .addToSubmission || step == .removeFromSubmission {
                    try Self.expectCurrent(version, group.currentVersion.id)
                }
                try group.review(step)
            }
            return .group(key, version: try group(key)?.group.currentVersion.id ?? version)
        }
    }

    private func expectInNoSubmission(_ subject: ReviewSubmission.Subject, app: Int64) throws {
        for other in try ReviewSubmissionsTable.submissions(app: app, on: connection) where other.isOpen {
            guard other.items.contains(where: { $0.isUnderReview && $0.subject.hasSameOwner(as: subject) }) else {
                continue
            }
            throw CatalogEditError(
                .stateInvalid, "This resource cannot be reviewed, please check associated errors to see why.",
                associated: [
                    CatalogEditError(
                        .state, "The version was already added to another reviewSubmission with id \(other.id)")
                ])
        }
    }

    private static func expectCurrent(_ version: String, _ current: String) throws {
        guard version == current else {
            throw CatalogEditError(
                .stateInvalid, "The version is not in valid state: version \(current) came after it.")
        }
    }

    private func app(of subject: ReviewSubmission.Subject) throws -> Int64? {
        switch subject {
        case .product(let appleID, _): try owner(of: appleID)
        case .group(let key, _): try group(key)?.app
        }
    }

    func insert(app: Int64, platform: ReviewSubmission.Platform?) throws -> ReviewSubmission {
        let number = try nextNumber()
        let submission = ReviewSubmission(
            id: DerivedUUID.make("review submission \(number)"), app: app, platform: platform, by: actor)
        try ReviewSubmissionsTable.upsert(submission, number: number, on: connection)
        return submission
    }

    private func update(submission id: String, _ change: (inout ReviewSubmission) throws -> Void) throws {
        guard var submission = try reviewSubmission(id) else {
            throw CatalogEditError(.notFound, "There is no resource of type 'reviewSubmissions' with id '\(id)'")
        }
        try change(&submission)
        submission.lastUpdatedBy = actor
        // The number stays that of the creation.
        try ReviewSubmissionsTable.upsert(submission, number: 0, on: connection)
    }
}
