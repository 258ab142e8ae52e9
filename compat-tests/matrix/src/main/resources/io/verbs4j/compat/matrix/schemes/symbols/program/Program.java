/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import device.Provider;
import verbs.Library;

public final class Program {
    public static void main(String[] args) {
        Library.open(new Provider());
        Results.old(Library.createQp(2), Library::loop);
        //2 Results.answered(Library.openXrcd(-1));
    }
}
