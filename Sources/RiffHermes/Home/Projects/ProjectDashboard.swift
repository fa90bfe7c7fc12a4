// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore
internal import RiffTransport

/// A project's dashboard (`.scarf/dashboard.json`): sections of widgets that an agent or a person keeps up to date.
public struct ProjectDashboard: Sendable, Hashable {
    /// Everything, as it was written.
    package let document: JSONDocument
    /// The revision of the file.
    package let revision: HostFile.Revision

    /// The heading of the dashboard.
    public var title: String? { document.value["title"]?.text }
    /// The summary of its subject.
    public var summary: String? { document.value["description"]?.text }
    /// When it was changed last, as it says.
    public var updatedAt: String? { document.value["updatedAt"]?.text }
    /// The sections, in order.
    public var sections: [Section] {
        (document.value["sections"]?.array ?? []).enumerated().map { place, json in
            Section(
                title: json["title"]?.text ?? "",
                columns: json["columns"]?.integer.flatMap { Int(exactly: $0) } ?? 3,
                widgets: (json["widgets"]?.array ?? []).enumerated().map { Widget($1, section: place, place: $0) }
            )
        }
    }

    /// Widgets under a heading.
    public struct Section: Sendable, Hashable {
        /// The heading of the section.
        public let title: String
        /// The number of widgets side by side.
        public let columns: Int
        /// The widgets, in order.
        public let widgets: [Widget]
    }

    /// One widget; of a kind that this version does not know, too.
    public struct Widget: Sendable, Hashable {
        /// The open set of kinds.
        public struct Kind: RawRepresentable, Sendable, Hashable {
            /// The name itself.
            public let rawValue: String

            /// Any name, also one this version does not know.
            public init(rawValue: String) { self.rawValue = rawValue }
            /// One value.
            package static let stat = Kind(rawValue: "stat")
            /// The progress of something, from 0 to 1.
            package static let progress = Kind(rawValue: "progress")
            /// A text, plain or Markdown.
            package static let text = Kind(rawValue: "text")
            /// Columns and rows.
            package static let table = Kind(rawValue: "table")
            /// Series of numbers.
            package static let chart = Kind(rawValue: "chart")
            /// Items with a status each.
            package static let list = Kind(rawValue: "list")
            /// A page of the web.
            package static let webview = Kind(rawValue: "webview")
            /// A picture, by address or by path.
            package static let image = Kind(rawValue: "image")
            /// A Markdown file of the project.
            package static let markdownFile = Kind(rawValue: "markdown_file")
            /// The end of a log of the project.
            package static let logTail = Kind(rawValue: "log_tail")
            /// The status of a scheduled job.
            package static let cronStatus = Kind(rawValue: "cron_status")
            /// A field of little squares.
            package static let statusGrid = Kind(rawValue: "status_grid")
        }

        /// The kind of the widget.
        public let kind: Kind
        /// The widget's heading.
        public let title: String
        /// Everything it says, as it was written.
        package let json: JSONValue
        /// The widget's place, for a change: ``ProjectDashboard/document`` at this path.
        package let path: [JSONDocument.Step]

        init(_ json: JSONValue, section: Int, place: Int) {
            kind = Kind(rawValue: json["type"]?.text ?? "")
            title = json["title"]?.text ?? ""
            self.json = json
            path = ["sections", .element(section), "widgets", .element(place)]
        }

        /// The content of the widget, read by its kind.
        public var content: Content { Content(kind, json) }
    }
}

extension ProjectDashboard.Widget {
    /// The content of a widget.
    public enum Content: Sendable, Hashable {
        /// A value with the text beside it, and a little curve.
        case stat(value: String, subtitle: String?, sparkline: [Double])
        /// The progress, from 0 to 1; `nil` if the widget does not say.
        case progress(Double?, label: String?)
        /// A text, plain or Markdown.
        case text(String, isMarkdown: Bool)
        /// Headings, and rows of cells.
        case table(columns: [String], rows: [[String]])
        /// The chart's kind (`line`, `bar`, `pie`, ...) and its series.
        case chart(String, [Series])
        /// A list of items.
        case list([Item])
        /// A page or a picture, by its address, and how high it is.
        case page(address: String?, path: String?, height: Double?)
        /// A file below the project's folder; `nil` for a path that leads out of it. How many lines of its end.
        case file(path: String?, lines: Int?)
        /// A scheduled job, by its id.
        case cron(job: String?)
        /// A grid of squares.
        case grid([Item], columns: Int?)
        /// A kind that this version does not know.
        case other

        init(_ kind: ProjectDashboard.Widget.Kind, _ json: JSONValue) {
            let text = { (key: String) in json[key]?.text }
            let number = { (key: String) in json[key]?.integer.flatMap { Int(exactly: $0) } }
            let list = { (key: String) in json[key]?.array ?? [] }
            self =
                switch kind {
                case .stat:
                    .stat(
                        value: Self.words(json["value"]),
                        subtitle: text("subtitle"),
                        sparkline: list("sparkline").compactMap(\.double)
                    )
                case .progress: .progress(json["value"]?.double.map { min(max($0, 0), 1) }, label: text("label"))
                case .text: .text(text("content") ?? "", isMarkdown: text("format") == "markdown")
                case .table:
                    .table(
                        columns: list("columns").map { Self.words($0) },
                        rows: list("rows").map { ($0.array ?? []).map { Self.words($0) } }
                    )
                case .chart: .chart(text("chartType") ?? "line", list("series").map { Series($0) })
                case .list: .list(list("items").map { Item(text: Self.words($0["text"]), status: $0["status"]?.text) })
                case .webview, .image:
                    .page(address: text("url"), path: Self.inside(text("path")), height: json["height"]?.double)
                case .markdownFile, .logTail: .file(path: Self.inside(text("path")), lines: number("lines"))
                case .cronStatus: .cron(job: text("jobId"))
                case .statusGrid:
                    .grid(
                        list("cells").map { Item(text: Self.words($0["label"]), status: $0["status"]?.text) },
                        columns: number("gridColumns")
                    )
                default: .other
                }
        }

        /// A path that stays below the project's folder.
        private static func inside(_ path: String?) -> String? {
            guard let path, !path.isEmpty, !path.hasPrefix(bytes: "/"), !path.utf8.contains(0),
                !path.split(byte: "/").contains("..")
            else { return nil }
            return path
        }

        /// A text or a number as it is shown.
        private static func words(_ json: JSONValue?) -> String {
            switch json {
            case nil, .null?: ""
            case .string(let text)?: text
            case let json?: json.integer.map { String($0) } ?? json.description
            }
        }
    }

    /// One series of a chart.
    public struct Series: Sendable, Hashable {
        /// The name of the series.
        public let name: String
        /// Its points, in order.
        public let points: [Point]

        init(_ json: JSONValue) {
            name = json["name"]?.text ?? ""
            points = (json["data"]?.array ?? []).compactMap { point in
                point["y"]?.double.map { Point(x: point["x"]?.text ?? point["x"]?.description ?? "", y: $0) }
            }
        }

        /// A point of a series.
        public struct Point: Sendable, Hashable {
            /// The place on the axis, as it is shown.
            public let x: String
            /// The value of the point.
            public let y: Double
        }
    }

    /// One item of a list, one square of a grid.
    public struct Item: Sendable, Hashable {
        /// The text of the item.
        public let text: String
        /// The status of the item, as it was written.
        public let status: String?
    }
}
