/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * For LD_PRELOAD: looks after the heap of a process, and ends it with words where a block was written beyond its end or after it was
 * freed, in place of the crash that may come of it elsewhere and later, or not at all.
 *
 *     header (32)  size, begin of the real block, who has allocated it, magic number
 *     the block
 *     tail (64)    bytes of TAIL, looked at when the block is freed
 *
 * A block that is freed is filled with FREED and kept for a while; when it is given back, it is looked at once more. Blocks that are
 * never freed are not looked at, nor are those of KEPT_MAX bytes and more after they were freed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAGIC 0x5afec0de12345678ULL
#define MAGIC_FREED 0xf4eed0de12345678ULL
#define TAIL 0xc3
#define TAIL_SIZE 64
#define FREED 0xdd
#define KEPT 16384
#define KEPT_MAX 16384

extern void *__libc_malloc(size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

struct header {
	size_t size;
	void *real;
	void *caller;
	uint64_t magic;
};

static struct header *kept[KEPT];
static unsigned next_kept;
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;

static unsigned char *block(struct header *h)
{
	return (unsigned char *)(h + 1);
}

/* Ends the process. The address where the block was allocated is told as the linker's name of it. */
static void tell(const char *what, struct header *h, size_t at)
{
	char text[512];
	void *frames[48];
	int n = snprintf(text, sizeof(text), "\nheap-guard: %s, at %zu of a block of %zu bytes; from there:", what, at, h->size);

	for (size_t i = at & -8UL; i < (at & -8UL) + 32 && i < h->size + TAIL_SIZE; i++)
		n += snprintf(text + n, sizeof(text) - n, " %02x", block(h)[i]);
	n += snprintf(text + n, sizeof(text) - n, "\nallocated by:\n");
	if (write(1, text, n) < 0)
		abort();
	backtrace_symbols_fd(&h->caller, 1, 1);
	if (write(1, "seen by:\n", 9) < 0)
		abort();
	backtrace_symbols_fd(frames, backtrace(frames, 48), 1);
	abort();
}

static void *allocate(size_t alignment, size_t size, void *caller)
{
	size_t offset = alignment > sizeof(struct header) ? alignment : sizeof(struct header);
	size_t whole;
	char *real;

	if (__builtin_add_overflow(size, offset + TAIL_SIZE, &whole)) {
		errno = ENOMEM;
		return NULL;
	}
	real = alignment > 16 ? __libc_memalign(alignment, whole) : __libc_malloc(whole);
	if (!real)
		return NULL;
	struct header *h = (struct header *)(real + offset) - 1;
	*h = (struct header){size, real, caller, MAGIC};
	memset(block(h) + size, TAIL, TAIL_SIZE);
	return block(h);
}

static struct header *check(void *p)
{
	struct header *h = (struct header *)p - 1;

	if (h->magic == MAGIC_FREED)
		tell("freed twice", h, 0);
	if (h->magic != MAGIC)
		tell("written before its begin, or never allocated", h, 0);
	for (size_t i = 0; i < TAIL_SIZE; i++)
		if (block(h)[h->size + i] != TAIL)
			tell("written beyond its end", h, h->size + i);
	return h;
}

static void keep(struct header *h)
{
	struct header *old;

	memset(block(h), FREED, h->size);
	pthread_mutex_lock(&kept_lock);
	old = kept[next_kept % KEPT];
	kept[next_kept++ % KEPT] = h;
	pthread_mutex_unlock(&kept_lock);
	if (!old)
		return;
	for (size_t i = 0; i < old->size; i++)
		if (block(old)[i] != FREED)
			tell("written after it was freed", old, i);
	__libc_free(old->real);
}

void *malloc(size_t size)
{
	return allocate(16, size, __builtin_return_address(0));
}

void free(void *p)
{
	int error = errno;

	if (!p)
		return;
	struct header *h = check(p);
	h->magic = MAGIC_FREED;
	if (h->size < KEPT_MAX)
		keep(h);
	else
		__libc_free(h->real);
	errno = error;
}

void *calloc(size_t count, size_t each)
{
	size_t size;
	void *p;

	if (__builtin_mul_overflow(count, each, &size)) {
		errno = ENOMEM;
		return NULL;
	}
	p = allocate(16, size, __builtin_return_address(0));
	if (p)
		memset(p, 0, size);
	return p;
}

void *realloc(void *p, size_t size)
{
	void *other;

	if (!p)
		return allocate(16, size, __builtin_return_address(0));
	struct header *h = check(p);
	if (!size) {
		free(p);
		return NULL;
	}
	other = allocate(16, size, __builtin_return_address(0));
	if (other) {
		memcpy(other, p, h->size < size ? h->size : size);
		free(p);
	}
	return other;
}

void *memalign(size_t alignment, size_t size)
{
	return allocate(alignment, size, __builtin_return_address(0));
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return allocate(alignment, size, __builtin_return_address(0));
}

int posix_memalign(void **to, size_t alignment, size_t size)
{
	void *p = allocate(alignment, size, __builtin_return_address(0));

	if (!p)
		return ENOMEM;
	*to = p;
	return 0;
}

void *valloc(size_t size)
{
	return allocate(sysconf(_SC_PAGESIZE), size, __builtin_return_address(0));
}

size_t malloc_usable_size(void *p)
{
	return p ? ((struct header *)p - 1)->size : 0;
}
