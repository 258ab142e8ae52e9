/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package device;

import verbs.Library;

public final class Provider implements Library.Provider {
    @Override
    public int createQp(int type) {
        return 17;
    }

    @Override
    public byte[] loop(byte[] message) {
        return message.clone();
    }

    //2 @Override
    //2 public int openXrcd(int fd) {
    //2     return 5;
    //2 }
}
