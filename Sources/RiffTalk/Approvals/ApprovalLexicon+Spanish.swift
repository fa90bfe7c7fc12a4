// Riff
// SPDX-License-Identifier: Apache-2.0

extension ApprovalLexicon {
    /// Spanish. "Para" denies: it is "stop" more often than "for" in an answer.
    static let spanish = ApprovalLexicon(
        denials: """
            no stop cancel abort wait halt nein non nicht pas deny denied reject nunca jamás nada nadie ni sin ningún
            ninguno ninguna tampoco para pare paren parar alto detente detén detener espera espere esperar cancela
            cancelar cancelado cancélalo rechazo rechazado rechaza rechazar deniego denegado niego negado prohibido
            prohibida prohíbo prohibir mal malo mala error equivocado incorrecto peligro peligroso peligrosa deja
            déjalo dejar dejalo olvida olvídalo olvidalo atrás momento segundo minuto ignora ignóralo ignorar salta
            sáltalo pausa aborta bloquea basta quieto
            """,
        deniedStems: """
            cancel rechaz deneg prohib
            """,
        deniedPhrases: """
            ni hablar, en ningún, de ninguna, mejor no, déjame pensar
            """,
        approvals: """
            sí, claro, claro que sí, por supuesto, ciertamente, desde luego, adelante, hazlo, hágalo, ejecútalo,
            lánzalo, permitido, lo permito, permítelo, autorizado, lo autorizo, autorizo, apruebo, aprobado,
            lo apruebo, acepto, aceptado, confirmo, confirmado, lo confirmo, puedes, puede, puedes hacerlo,
            puede hacerlo, dale, concedido, permiso concedido, procede, continúa, me parece bien, estoy de acuerdo
            """,
        fillers: """
            por favor vale de acuerdo bueno gracias ok okay y ah oh pues
            """
    )
}
