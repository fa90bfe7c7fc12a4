// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHermes

extension DashView {
    var insights: Body {
        var body = Body(status: status(picture.report))
        let spans = HermesReport.Span.usual.map { span in
            let name = if case .days(let days) = span { "\(days) days" } else { "all time" }
            return span == state.span ? DashText.bold("[\(name)]") : DashText.dim(name)
        }
        body.head = ["  " + spans.joined(separator: "  ")]
        guard let report = picture.report.value else { return body }
        body.lines = InsightsText(report, timeZone: picture.timeZone, width: max(8, min(size.columns - 46, 60))).lines
        return body
    }
}
