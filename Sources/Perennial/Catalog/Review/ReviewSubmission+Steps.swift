extension ReviewSubmission {
    /// Adds a version. Its own state is the caller's to change.
    ///
    /// - Returns: The item's number.
    /// - Throws: ``CatalogEditError`` `.stateInvalid` after the submission, or `.limit`.
    package mutating func add(_ subject: Subject) throws -> Int {
        guard state == .readyForReview else {
            throw CatalogEditError(
                .stateInvalid, at: .relationship("reviewSubmission"),
                "The review submission is not in valid state: it is \(state.rawValue).")
        }
        guard items.filter({ $0.state != .removed }).count < Self.maximumItems else {
            throw CatalogEditError(
                .limit, at: .relationship("reviewSubmission"),
                "A review submission has \(Self.maximumItems) items at most.")
        }
        let number = (items.map(\.number).max() ?? 0) + 1
        items.append(Item(number: number, subject: subject))
        return number
    }

    /// Removes an item before the submission, or a rejected one after it.
    ///
    /// - Returns: The item as it was.
    /// - Throws: ``CatalogEditError`` `.notFound` or `.stateInvalid`.
    @discardableResult
    package mutating func remove(_ number: Int) throws -> Item {
        let index = try index(of: number)
        let item = items[index]
        switch (state, item.state) {
        case (.readyForReview, .readyForReview): items.remove(at: index)
        case (.unresolvedIssues, .rejected), (.unresolvedIssues, .readyForReview): items[index].state = .removed
        default:
            throw CatalogEditError(
                .stateInvalid,
                "The item is not in valid state: it is \(item.state.rawValue) in a review submission "
                    + "that is \(state.rawValue).")
        }
        completeIfDecided()
        return item
    }

    /// States that a rejected item was mended, so that it is reviewed again with the next submission.
    ///
    /// - Throws: ``CatalogEditError`` `.notFound` or `.stateInvalid`.
    package mutating func resolve(_ number: Int) throws {
        let index = try index(of: number)
        guard state == .unresolvedIssues, items[index].state == .rejected else {
            throw CatalogEditError(
                .stateInvalid, at: .attribute("resolved"),
                "Only a rejected item of a submission with unresolved issues "
                    + "can be resolved.")
        }
        items[index].state = .readyForReview
        items[index].reason = nil
    }

    /// Submits the items, or those again that were rejected and resolved.
    ///
    /// - Returns: The items to review.
    /// - Throws: ``CatalogEditError`` `.stateInvalid`.
    package mutating func submit(by actor: CatalogActor, at now: Instant) throws -> [Item] {
        guard state == .readyForReview || state == .unresolvedIssues else {
            throw CatalogEditError(
                .stateInvalid, at: .attribute("submitted"),
                "The review submission is not in valid state: it is \(state.rawValue).")
        }
        guard !items.contains(where: { $0.state == .rejected }) else {
            throw CatalogEditError(
                .stateInvalid, at: .attribute("submitted"), "A rejected item is neither resolved nor removed.")
        }
        let submitted = items.filter { $0.state == .readyForReview }
        guard !submitted.isEmpty else {
            throw CatalogEditError(
                .stateInvalid, at: .attribute("submitted"), "The review submission has no items.")
        }
        state = .waitingForReview
        self.submitted = now
        submittedBy = actor
        lastUpdatedBy = actor
        return submitted
    }

    /// Withdraws the submission.
    ///
    /// - Returns: The items that were in review.
    /// - Throws: ``CatalogEditError`` `.stateInvalid`.
    package mutating func cancel() throws -> [Item] {
        guard [.waitingForReview, .inReview, .unresolvedIssues].contains(state) else {
            throw CatalogEditError(
                .stateInvalid, at: .attribute("canceled"),
                "Resource is not in cancellable state: it is \(state.rawValue).")
        }
        let wasInReview = state != .unresolvedIssues
        let open = items.filter { $0.state == .readyForReview }
        for index in items.indices where [.readyForReview, .rejected].contains(items[index].state) {
            items[index].state = .removed
        }
        state = .complete
        return wasInReview ? open : []
    }

    /// Starts the review.
    ///
    /// - Returns: The items in review.
    /// - Throws: ``CatalogEditError`` `.stateInvalid`.
    package mutating func start() throws -> [Item] {
        guard state == .waitingForReview else { throw notUnderReview() }
        state = .inReview
        return items.filter { $0.state == .readyForReview }
    }

    /// Decides about an item. When all are decided, the submission is complete, or has unresolved issues.
    ///
    /// - Parameter rejection: The reviewer's reason; `nil` for an approval.
    /// - Throws: ``CatalogEditError`` `.notFound` or `.stateInvalid`.
    package mutating func decide(_ number: Int, rejection: String?) throws {
        let index = try index(of: number)
        guard [.waitingForReview, .inReview].contains(state), items[index].state == .readyForReview else {
            throw notUnderReview()
        }
        state = .inReview
        items[index].state = rejection == nil ? .approved : .rejected
        items[index].reason = rejection
        completeIfDecided()
    }

    /// Returns an item by its number.
    package func item(_ number: Int) -> Item? { items.first { $0.number == number } }

    private func index(of number: Int) throws -> Int {
        guard let index = items.firstIndex(where: { $0.number == number }) else {
            throw CatalogEditError(.notFound, "The review submission has no item \(number).")
        }
        return index
    }

    private func notUnderReview() -> CatalogEditError {
        CatalogEditError(.stateInvalid, "Nothing is to be reviewed: the submission is \(state.rawValue).")
    }

    private mutating func completeIfDecided() {
        guard state == .inReview || state == .unresolvedIssues else { return }
        guard !items.contains(where: { $0.state == .readyForReview }) else { return }
        state = items.contains { $0.state == .rejected } ? .unresolvedIssues : .complete
    }
}

extension ReviewSubmission {
    /// Replaces the version of an item: a rejected version is mended in a new one.
    package mutating func replaceSubject(of number: Int, by subject: Subject) {
        guard let index = items.firstIndex(where: { $0.number == number }) else { return }
        items[index].subject = subject
    }
}
