/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import static io.netty.channel.ChannelOption.SO_BACKLOG;
import static io.netty.channel.ChannelOption.SO_RCVBUF;
import static io.netty.channel.ChannelOption.SO_REUSEADDR;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.MessageSizeEstimator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.ServerSocketChannelConfig;
import io.netty.util.NetUtil;
import java.util.Map;

/**
 * Options of a {@link VerbsServerSocketChannel}: those of all channels, {@code SO_BACKLOG}, {@code SO_REUSEADDR} and
 * {@code SO_RCVBUF}. May be used by any thread.
 */
@SuppressWarnings("ReferenceEquality") // each option is one object
public final class VerbsServerSocketChannelConfig extends DefaultChannelConfig implements ServerSocketChannelConfig {
    private volatile int backlog = NetUtil.SOMAXCONN;
    private volatile boolean reuseAddress;
    private volatile int receiveBufferSize = VerbsSocketChannelConfig.RECEIVE_BYTES;

    VerbsServerSocketChannelConfig(VerbsServerSocketChannel channel) {
        super(channel, new ServerChannelRecvByteBufAllocator());
    }

    @Override
    public Map<ChannelOption<?>, Object> getOptions() {
        return getOptions(super.getOptions(), SO_BACKLOG, SO_REUSEADDR, SO_RCVBUF);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> T getOption(ChannelOption<T> option) {
        if (option == SO_BACKLOG) {
            return (T) (Integer) backlog;
        }
        if (option == SO_REUSEADDR) {
            return (T) (Boolean) reuseAddress;
        }
        if (option == SO_RCVBUF) {
            return (T) (Integer) receiveBufferSize;
        }
        return super.getOption(option);
    }

    @Override
    public <T> boolean setOption(ChannelOption<T> option, T value) {
        validate(option, value);
        if (option == SO_BACKLOG) {
            setBacklog((Integer) value);
        } else if (option == SO_REUSEADDR) {
            setReuseAddress((Boolean) value);
        } else if (option == SO_RCVBUF) {
            setReceiveBufferSize((Integer) value);
        } else {
            return super.setOption(option, value);
        }
        return true;
    }

    @Override
    public int getBacklog() {
        return backlog;
    }

    /** Sets the maximum number of peers that wait to be accepted. Set it before the channel is bound. */
    @Override
    public VerbsServerSocketChannelConfig setBacklog(int value) {
        if (value < 0) {
            throw new IllegalArgumentException("backlog is " + value + "; it must be 0 or more");
        }
        backlog = value;
        return this;
    }

    @Override
    public boolean isReuseAddress() {
        return reuseAddress;
    }

    /**
     * Sets whether the port may be shared with ids that have this option too and do not listen. Set it before the
     * channel is bound.
     */
    @Override
    public VerbsServerSocketChannelConfig setReuseAddress(boolean value) {
        reuseAddress = value;
        return this;
    }

    @Override
    public int getReceiveBufferSize() {
        return receiveBufferSize;
    }

    /**
     * Sets the maximum number of bytes that a peer may send before they are read, for channels that are accepted from
     * now on.
     */
    @Override
    public VerbsServerSocketChannelConfig setReceiveBufferSize(int value) {
        receiveBufferSize = VerbsSocketChannelConfig.positive("SO_RCVBUF", value);
        return this;
    }

    /** Does nothing. */
    @Override
    public VerbsServerSocketChannelConfig setPerformancePreferences(int connectionTime, int latency, int bandwidth) {
        return this;
    }

    @Override
    public VerbsServerSocketChannelConfig setConnectTimeoutMillis(int value) {
        super.setConnectTimeoutMillis(value);
        return this;
    }

    @Override
    @Deprecated
    public VerbsServerSocketChannelConfig setMaxMessagesPerRead(int value) {
        super.setMaxMessagesPerRead(value);
        return this;
    }

    @Override
    public VerbsServerSocketChannelConfig setWriteSpinCount(int value) {
        super.setWriteSpinCount(value);
        return this;
    }

    @Override
    public VerbsServerSocketChannelConfig setAllocator(ByteBufAllocator value) {
        super.setAllocator(value);
        return this;
    }

    @Override
    public VerbsServerSocketChannelConfig setRecvByteBufAllocator(RecvByteBufAllocator value) {
        super.setRecvByteBufAllocator(value);
        return this;
    }

    @Override
    public VerbsServerSocketChannelConfig setAutoRead(boolean value) {
        super.setAutoRead(value);
        return this;
    }

    @Override
    public VerbsServerSocketChannelConfig setMessageSizeEstimator(MessageSizeEstimator value) {
        super.setMessageSizeEstimator(value);
        return this;
    }

    @Override
    public VerbsServerSocketChannelConfig setWriteBufferHighWaterMark(int value) {
        super.setWriteBufferHighWaterMark(value);
        return this;
    }

    @Override
    public VerbsServerSocketChannelConfig setWriteBufferLowWaterMark(int value) {
        super.setWriteBufferLowWaterMark(value);
        return this;
    }

    @Override
    public VerbsServerSocketChannelConfig setWriteBufferWaterMark(WriteBufferWaterMark value) {
        super.setWriteBufferWaterMark(value);
        return this;
    }

    @Override
    protected void autoReadCleared() {
        ((VerbsServerSocketChannel) channel).clearReadPending();
    }
}
