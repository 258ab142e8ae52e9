/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.programs;

import io.verbs4j.core.Verbs;

/** Prints the devices and the state of the providers. */
public final class ReportProgram {
    private ReportProgram() {}

    public static void main(String[] args) {
        System.out.println("devices " + Verbs.devices());
        System.out.println(Verbs.report());
    }
}
