/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import device.Provider;
import verbs.Header;
import verbs.Library;

public final class Program {
    public static void main(String[] args) {
        Header context = Library.open(new Provider());
        Results.old(context.find("create_qp").call(2), context::loop);
        //2 Header.Verb openXrcd = context.find("open_xrcd");
        //2 Results.answered(openXrcd == null ? Results.NO_SUCH_NAME : openXrcd.call(-1));
    }
}
