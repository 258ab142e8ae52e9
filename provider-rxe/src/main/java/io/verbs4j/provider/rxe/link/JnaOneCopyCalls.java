/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

/** {@link OneCopyCalls} by JNA's direct mapping. */
final class JnaOneCopyCalls implements OneCopyCalls {
    @Override
    public String bind() {
        return JnaBinding.bind(JnaOneCopyCalls.class);
    }

    @Override
    public void unbind() {
        JnaBinding.unbind(JnaOneCopyCalls.class);
    }

    @Override
    public native long process_vm_readv(
            int pid, long local, long localCount, long remote, long remoteCount, long flags);

    @Override
    public native int memfd_create(long name, int flags);

    @Override
    public native int open(long name, int flags);

    @Override
    public native int fcntl(int fd, int command, long argument);

    @Override
    public native int madvise(long address, long bytes, int advice);

    @Override
    public native long pread(int fd, long buffer, long count, long offset);

    @Override
    public native long pwrite(int fd, long buffer, long count, long offset);
}
