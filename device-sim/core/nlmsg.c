/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "nlmsg.h"

void *nl_more(struct nl_writer *w, size_t size)
{
    void *to = w->bytes + w->used;

    w->used += NLMSG_ALIGN(size);
    memset(to, 0, NLMSG_ALIGN(size));
    ((struct nlmsghdr *)(w->bytes + w->begin))->nlmsg_len = (uint32_t)(w->used - w->begin);
    return to;
}

void nl_begin(struct nl_writer *w, uint16_t type, uint16_t flags)
{
    struct nlmsghdr *h;

    w->begin = w->used;
    h = nl_more(w, NLMSG_HDRLEN);
    h->nlmsg_type = type;
    h->nlmsg_flags = flags;
    h->nlmsg_seq = w->request->nlmsg_seq;
    h->nlmsg_pid = w->port;
}

void nl_put(struct nl_writer *w, uint16_t type, const void *data, size_t size)
{
    struct nlattr *a = nl_more(w, NLA_HDRLEN + size);

    a->nla_type = type;
    a->nla_len = (uint16_t)(NLA_HDRLEN + size);
    memcpy((uint8_t *)a + NLA_HDRLEN, data, size);
}

void nl_put_text(struct nl_writer *w, uint16_t type, const char *text)
{
    nl_put(w, type, text, strlen(text) + 1);
}

void nl_put_u8(struct nl_writer *w, uint16_t type, uint8_t value)
{
    nl_put(w, type, &value, sizeof value);
}

void nl_put_u32(struct nl_writer *w, uint16_t type, uint32_t value)
{
    nl_put(w, type, &value, sizeof value);
}

void nl_put_u64(struct nl_writer *w, uint16_t type, uint64_t value)
{
    nl_put(w, type, &value, sizeof value);
}

void nl_put_error(struct nl_writer *w, int error)
{
    struct nlmsgerr *e;

    nl_begin(w, NLMSG_ERROR, 0);
    e = nl_more(w, sizeof *e);
    e->error = -error;
    e->msg = *w->request;
}

void nl_put_done(struct nl_writer *w)
{
    nl_begin(w, NLMSG_DONE, NLM_F_MULTI);
    nl_more(w, sizeof(int));
}

const struct nlattr *nl_attribute(const struct nlmsghdr *h, size_t at)
{
    const struct nlattr *a = (const struct nlattr *)((const uint8_t *)h + at);

    return at + NLA_HDRLEN <= h->nlmsg_len && a->nla_len >= NLA_HDRLEN && at + a->nla_len <= h->nlmsg_len ? a : NULL;
}
