/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package verbs;

/** What a program is compiled with: declarations. It is not there at run time. */
public final class Library {
    public interface Provider {
        int createQp(int type);

        byte[] loop(byte[] message);

        //2 default int openXrcd(int fd) {
        //2     return -95;
        //2 }
    }

    public static native void open(Provider provider);

    public static native byte[] loop(byte[] message);

    //1 public static native int createQp(int type);
    //2 /** Has taken flags in its upper half since version 2; the same source means the newer symbol. */
    //2 public static native int createQp(long typeAndFlags);

    //2 public static native int openXrcd(int fd);
}
