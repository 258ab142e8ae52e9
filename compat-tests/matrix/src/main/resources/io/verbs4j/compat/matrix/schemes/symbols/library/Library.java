/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package verbs;

/** Exports a function for each verb, and another one where a verb has changed; the old one stays for old programs. */
public final class Library {
    public interface Provider {
        int createQp(int type);

        byte[] loop(byte[] message);

        //2 default int openXrcd(int fd) {
        //2     return -95;
        //2 }
    }

    private static Provider provider;

    private Library() {}

    public static void open(Provider one) {
        provider = one;
    }

    public static byte[] loop(byte[] message) {
        return provider.loop(message);
    }

    public static int createQp(int type) {
        return provider.createQp(type);
    }

    //2 public static int createQp(long typeAndFlags) {
    //2     return provider.createQp((int) typeAndFlags);
    //2 }

    //2 public static int openXrcd(int fd) {
    //2     return provider.openXrcd(fd);
    //2 }
}
