/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package verbs;

import java.util.function.IntUnaryOperator;

/** What a program is compiled with: verbs that look into the library's table. */
public final class Header {
    public static final int ENOSYS = 38;
    public static final int EOPNOTSUPP = 95;

    /** What a provider implements: a body for each verb that came later. */
    public abstract static class Provider {
        public abstract int createQp(int type);

        public abstract byte[] loop(byte[] message);

        //2 public int openXrcd(int fd) {
        //2     return -EOPNOTSUPP;
        //2 }
    }

    private final IntUnaryOperator[] table;
    private final Provider provider;

    public Header(IntUnaryOperator[] table, Provider provider) {
        this.table = table;
        this.provider = provider;
    }

    public int createQp(int type) {
        return table[0].applyAsInt(type);
    }

    public byte[] loop(byte[] message) {
        return provider.loop(message);
    }

    //2 public int openXrcd(int fd) {
    //2     return table.length > 1 ? table[1].applyAsInt(fd) : -ENOSYS;
    //2 }
}
