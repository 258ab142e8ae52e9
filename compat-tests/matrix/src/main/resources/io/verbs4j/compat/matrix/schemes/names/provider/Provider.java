/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package device;

import verbs.Header;

public final class Provider implements Header {
    @Override
    public Verb find(String name) {
        return switch (name) {
            case "create_qp" -> type -> 17;
            //2 case "open_xrcd" -> fd -> 5;
            default -> null;
        };
    }

    @Override
    public byte[] loop(byte[] message) {
        return message.clone();
    }
}
